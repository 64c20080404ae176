/// Transaction IDs that wait, by address and apart from receipts, as in ``LedgerSQLite`` after its version 33.
enum SchemaVersion27 {
    static let sql = """
        DROP INDEX receiptsDueByApp;
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt, kind)
            WHERE retryAt IS NOT NULL AND kind <> 'transactionID';
        CREATE INDEX transactionIDsDue ON receipts (coalesce(addressDigest, ''::bytea), retryAt, recordedAt, kind)
            WHERE retryAt IS NOT NULL AND kind = 'transactionID';
        """
}
