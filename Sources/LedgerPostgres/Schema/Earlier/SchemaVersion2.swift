/// Budgets of stored receipt bytes; `day` counts from 1970-01-01, `subject` is the SHA-256 of an account or an address.
/// Questions that the App Store called wrong. Indexes for lists of receipts.
enum SchemaVersion2 {
    static let sql = """
        CREATE TABLE receiptBytes (
            subject BYTEA NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            day BIGINT NOT NULL,
            bytes BIGINT NOT NULL,
            PRIMARY KEY (subject, kind, day)
        );
        CREATE INDEX receiptBytesDay ON receiptBytes (day);

        ALTER TABLE receipts ADD COLUMN countedAt BIGINT;
        ALTER TABLE receipts ADD COLUMN addressDigest BYTEA;
        ALTER TABLE receipts ADD COLUMN badRequestAttempts BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE notifications ADD COLUMN badRequestAttempts BIGINT NOT NULL DEFAULT 0;

        CREATE INDEX receiptsPendingByDate ON receipts (recordedAt, id) WHERE status = 'pending';
        CREATE INDEX receiptsRejectedByDate ON receipts (recordedAt, id) WHERE status = 'rejected';
        """
}
