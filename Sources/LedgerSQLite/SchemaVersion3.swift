extension Schema {
    /// What the store tells by itself.
    static let version3 = """
        CREATE TABLE notifications (
            id TEXT NOT NULL PRIMARY KEY,
            type TEXT NOT NULL,
            subtype TEXT,
            app TEXT,
            environment TEXT,
            signedAt INTEGER NOT NULL,
            recordedAt INTEGER NOT NULL,
            appliedAt INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            doubtfulAttempts INTEGER NOT NULL DEFAULT 0,
            retryAt INTEGER,
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notificationsDue ON notifications (retryAt) WHERE retryAt IS NOT NULL;

        CREATE TABLE unclaimedTransactions (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            originalID TEXT NOT NULL,
            facts TEXT NOT NULL,
            terms BLOB REFERENCES terms,
            PRIMARY KEY (app, environment, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX unclaimedLine ON unclaimedTransactions (app, environment, originalID);
        """
}
