extension Schema {
    /// Budgets of stored receipt bytes; `day` counts from 1970-01-01, `subject` is the SHA-256 of an account or an
    /// address. Questions that the App Store called wrong. Indexes for lists of receipts.
    static let version8 = """
        CREATE TABLE receiptBytes (
            subject BLOB NOT NULL,
            kind TEXT NOT NULL,
            day INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (subject, kind, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX receiptBytesDay ON receiptBytes (day);

        ALTER TABLE receipts ADD COLUMN countedAt INTEGER;
        ALTER TABLE receipts ADD COLUMN addressDigest BLOB;
        ALTER TABLE receipts ADD COLUMN badRequestAttempts INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE notifications ADD COLUMN badRequestAttempts INTEGER NOT NULL DEFAULT 0;

        CREATE INDEX receiptsPendingByDate ON receipts (recordedAt, id) WHERE status = 'pending';
        CREATE INDEX receiptsRejectedByDate ON receipts (recordedAt, id) WHERE status = 'rejected';
        """
}
