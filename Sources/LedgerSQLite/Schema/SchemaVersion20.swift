extension Schema {
    /// The idempotency keys of requests for new accounts, as SHA-256.
    static let version20 = """
        CREATE TABLE accountKeys (
            key BLOB NOT NULL PRIMARY KEY,
            account TEXT NOT NULL REFERENCES accounts,
            createdAt INTEGER NOT NULL,
            repeats INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accountKeysCreated ON accountKeys (createdAt);
        """
}
