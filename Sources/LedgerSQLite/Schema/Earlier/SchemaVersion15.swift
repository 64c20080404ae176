extension Schema {
    /// The queue of what the store is asked for after a delivery or a transfer; a row is gone when the store has
    /// answered.
    static let version15 = """
        CREATE TABLE storeTasks (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts,
            recordedAt INTEGER NOT NULL,
            retryAt INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            doubtfulAttempts INTEGER NOT NULL DEFAULT 0,
            badRequestAttempts INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (app, environment, kind, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX storeTasksDueByApp ON storeTasks (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        """
}
