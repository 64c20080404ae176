extension Schema {
    /// The credits that accounts start with: the settings of the apps, each for accounts that were created from `since`
    /// on and before the next, and those that were given.
    static let version12 = """
        CREATE TABLE startingCredits (
            app TEXT NOT NULL,
            since INTEGER NOT NULL,
            credits TEXT NOT NULL,
            proof TEXT,
            PRIMARY KEY (app, since)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE startingCreditGrants (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            credits TEXT NOT NULL,
            appTransactionID TEXT,
            grantedAt INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX startingCreditGrantsProof ON startingCreditGrants (appTransactionID, app, environment)
            WHERE appTransactionID IS NOT NULL;
        """

    /// The dates by which reports find transactions: columns, which are copies of the facts, and their indexes. The
    /// index of an original transaction has its periods in their order.
    static let version13 = dateColumns + datesOfFacts + dateIndexes

    private static let dateColumns = """
        ALTER TABLE transactions ADD COLUMN purchasedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN revokedAt INTEGER;
        ALTER TABLE unclaimedTransactions ADD COLUMN purchasedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE unclaimedTransactions ADD COLUMN revokedAt INTEGER;
        ALTER TABLE unclaimedTransactions ADD COLUMN expiresAt INTEGER;

        """

    private static let dateIndexes = """
        CREATE INDEX transactionsPurchased ON transactions (environment, purchasedAt, app, id);
        CREATE INDEX transactionsRevoked ON transactions (environment, revokedAt, app, id) WHERE revokedAt IS NOT NULL;
        DROP INDEX transactionsLine;
        CREATE INDEX transactionsLine ON transactions (app, environment, originalID, purchasedAt, id);
        CREATE INDEX unclaimedPurchased ON unclaimedTransactions (environment, purchasedAt, app, id);
        CREATE INDEX unclaimedRevoked ON unclaimedTransactions (environment, revokedAt, app, id)
            WHERE revokedAt IS NOT NULL;
        CREATE INDEX unclaimedExpiring ON unclaimedTransactions (expiresAt) WHERE expiresAt IS NOT NULL;
        DROP INDEX unclaimedLine;
        CREATE INDEX unclaimedLine ON unclaimedTransactions (app, environment, originalID, purchasedAt, id);
        """

    /// Copies the dates of earlier records.
    static let datesOfFacts = """
        UPDATE transactions SET purchasedAt = json_extract(facts, '$.purchaseDate'),
            revokedAt = json_extract(facts, '$.revocation.date');
        UPDATE unclaimedTransactions SET purchasedAt = json_extract(facts, '$.purchaseDate'),
            revokedAt = json_extract(facts, '$.revocation.date'), expiresAt = json_extract(facts, '$.expirationDate');

        """

    /// The app transactions that accounts showed. An ID is empty if Apple gave none; of each other one row is first.
    static let version14 = """
        CREATE TABLE appTransactions (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            isFirst INTEGER NOT NULL,
            originalPurchasedAt INTEGER NOT NULL,
            originalAppVersion TEXT NOT NULL,
            signedAt INTEGER NOT NULL,
            shownAt INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX appTransactionsFirst ON appTransactions (app, environment, id) WHERE isFirst = 1;
        """

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
