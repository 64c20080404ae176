extension Schema {
    /// The app of a receipt, for a retry queue in which each app has its turn; the index of such a queue.
    static let version11 = """
        ALTER TABLE receipts ADD COLUMN app TEXT NOT NULL DEFAULT '';
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        CREATE INDEX notificationsDueByApp ON notifications (coalesce(app, ''), retryAt, recordedAt)
            WHERE retryAt IS NOT NULL;
        DROP INDEX receiptsDue;
        DROP INDEX notificationsDue;
        """
}
