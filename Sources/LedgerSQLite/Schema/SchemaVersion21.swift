extension Schema {
    /// The headers of signed transactions, whose certificates are the same for all that one key signed, and what is
    /// left of the transactions without them.
    static let version21 = """
        CREATE TABLE receiptHeaders (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest BLOB NOT NULL UNIQUE,
            content TEXT NOT NULL
        ) STRICT;
        ALTER TABLE receipts ADD COLUMN packed BLOB;
        ALTER TABLE receipts ADD COLUMN header INTEGER REFERENCES receiptHeaders;
        """
}
