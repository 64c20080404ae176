extension Schema {
    /// Transaction IDs that wait, by address and apart from receipts: anybody can make them up, and they must not keep
    /// receipts from their turn, nor those of one address those of another.
    static let version33 = """
        DROP INDEX receiptsDueByApp;
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt, kind)
            WHERE retryAt IS NOT NULL AND kind <> 'transactionID';
        CREATE INDEX transactionIDsDue ON receipts (coalesce(addressDigest, X''), retryAt, recordedAt, kind)
            WHERE retryAt IS NOT NULL AND kind = 'transactionID';
        """
}
