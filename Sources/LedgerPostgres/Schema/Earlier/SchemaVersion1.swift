/// The tables, as in ``LedgerSQLite`` after its version 6: strings are compared byte by byte as in SQLite.
enum SchemaVersion1 {
    static let sql = lock + accounts + receipts + transactions + deliveries + credits + audit

    private static let lock = "CREATE TABLE \(TransactionKind.lockTable) ();\n"

    static let accounts = """
        CREATE TABLE accounts (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            recoveryCode BYTEA NOT NULL UNIQUE,
            createdAt BIGINT NOT NULL,
            blockedAt BIGINT,
            consentsSince BIGINT,
            testerSince BIGINT,
            betaSince BIGINT
        );

        CREATE TABLE sessions (
            token BYTEA NOT NULL PRIMARY KEY,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            openedAt BIGINT NOT NULL,
            closedAt BIGINT
        );
        CREATE INDEX sessionsAccount ON sessions (account, openedAt);

        CREATE TABLE adminTokens (
            token BYTEA NOT NULL PRIMARY KEY,
            name TEXT COLLATE "C" NOT NULL,
            role TEXT COLLATE "C" NOT NULL,
            createdAt BIGINT NOT NULL,
            revokedAt BIGINT
        );
        CREATE UNIQUE INDEX adminTokensInForce ON adminTokens (name) WHERE revokedAt IS NULL;

        CREATE TABLE keyValues (
            key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            value BYTEA NOT NULL
        );

        """

    static let receipts = """
        CREATE TABLE receipts (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            digest BYTEA NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            bundleID TEXT COLLATE "C",
            content TEXT COLLATE "C" NOT NULL,
            status TEXT COLLATE "C" NOT NULL,
            rejection TEXT COLLATE "C",
            attempts BIGINT NOT NULL DEFAULT 0,
            doubtfulAttempts BIGINT NOT NULL DEFAULT 0,
            recordedAt BIGINT NOT NULL,
            answeredAt BIGINT,
            retryAt BIGINT,
            UNIQUE (account, digest)
        );
        CREATE INDEX receiptsDue ON receipts (retryAt) WHERE retryAt IS NOT NULL;
        CREATE INDEX receiptsPending ON receipts (account) WHERE status = 'pending';
        CREATE INDEX receiptsWaiting ON receipts (answeredAt, recordedAt) WHERE status = 'pending';
        CREATE INDEX receiptsAccount ON receipts (account, recordedAt);

        CREATE TABLE receiptTransactions (
            receipt TEXT COLLATE "C" NOT NULL REFERENCES receipts,
            position BIGINT NOT NULL,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            signedAt BIGINT NOT NULL,
            PRIMARY KEY (receipt, app, environment, id)
        );

        CREATE TABLE notifications (
            id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            type TEXT COLLATE "C" NOT NULL,
            subtype TEXT COLLATE "C",
            app TEXT COLLATE "C",
            environment TEXT COLLATE "C",
            signedAt BIGINT NOT NULL,
            recordedAt BIGINT NOT NULL,
            appliedAt BIGINT,
            attempts BIGINT NOT NULL DEFAULT 0,
            doubtfulAttempts BIGINT NOT NULL DEFAULT 0,
            retryAt BIGINT,
            content TEXT COLLATE "C" NOT NULL
        );
        CREATE INDEX notificationsDue ON notifications (retryAt) WHERE retryAt IS NOT NULL;

        CREATE TABLE consumptionRequests (
            notification TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES notifications,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            transactionID TEXT COLLATE "C" NOT NULL,
            requestedAt BIGINT NOT NULL,
            outcome TEXT COLLATE "C",
            retryAt BIGINT
        );
        CREATE INDEX consumptionRequestsDue ON consumptionRequests (retryAt) WHERE retryAt IS NOT NULL;

        CREATE TABLE catalogRevisions (
            number BIGINT NOT NULL PRIMARY KEY,
            text BYTEA NOT NULL,
            actor TEXT COLLATE "C",
            addedAt BIGINT NOT NULL
        );

        """
}
