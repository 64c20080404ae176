/// The app of a receipt, for a retry queue in which each app has its turn, as in ``LedgerSQLite`` after its version 11.
enum SchemaVersion5 {
    static let sql = """
        ALTER TABLE receipts ADD COLUMN app TEXT COLLATE "C" NOT NULL DEFAULT '';
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        CREATE INDEX notificationsDueByApp ON notifications (coalesce(app, ''), retryAt, recordedAt)
            WHERE retryAt IS NOT NULL;
        DROP INDEX receiptsDue;
        DROP INDEX notificationsDue;
        """
}
