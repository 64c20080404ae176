extension Schema {
    /// App Store Server Notifications, transactions without an owner, and consumption requests.
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

        ALTER TABLE accounts ADD COLUMN consentsSince INTEGER;
        CREATE TABLE consumptionRequests (
            notification TEXT NOT NULL PRIMARY KEY REFERENCES notifications,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            transactionID TEXT NOT NULL,
            requestedAt INTEGER NOT NULL,
            outcome TEXT,
            retryAt INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX consumptionRequestsDue ON consumptionRequests (retryAt) WHERE retryAt IS NOT NULL;

        """ + expirations

    /// Finds the subscriptions that expired without a notification from the App Store.
    private static let expirations = """
        ALTER TABLE transactions ADD COLUMN expiresAt INTEGER;
        UPDATE transactions SET expiresAt = json_extract(facts, '$.expirationDate');
        CREATE INDEX transactionsExpiring ON transactions (expiresAt) WHERE expiresAt IS NOT NULL;
        """
}
