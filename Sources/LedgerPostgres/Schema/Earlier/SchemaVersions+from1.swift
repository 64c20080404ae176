import LedgerSQL

/// The tables, as in `LedgerSQLite` after its version 6: strings are compared byte by byte as in SQLite.
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

/// The date when the App Store last answered a question on an original transaction in an app receipt.
enum SchemaVersion3 {
    static let sql = """
        CREATE TABLE originalTransactionChecks (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            answeredAt BIGINT NOT NULL,
            PRIMARY KEY (originalID, app, environment)
        );
        """
}

/// The evidence for transfers of a purchase to another account, as in `LedgerSQLite` after its version 10.
enum SchemaVersion4 {
    static let sql = """
        ALTER TABLE lines ADD COLUMN ownerEvidenceAt BIGINT;
        ALTER TABLE lines ADD COLUMN moveCount BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE receipts ADD COLUMN mayTransfer BIGINT NOT NULL DEFAULT 1;
        ALTER TABLE receipts ADD COLUMN isForDevice BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE receiptTransactions ADD COLUMN remedy TEXT COLLATE "C";

        """ + OwnerEvidence.backfill
}

/// The app of a receipt, for a retry queue in which each app has its turn, as in `LedgerSQLite` after its version 11.
enum SchemaVersion5 {
    static let sql = """
        ALTER TABLE receipts ADD COLUMN app TEXT COLLATE "C" NOT NULL DEFAULT '';
        CREATE INDEX receiptsDueByApp ON receipts (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        CREATE INDEX notificationsDueByApp ON notifications (coalesce(app, ''), retryAt, recordedAt)
            WHERE retryAt IS NOT NULL;
        DROP INDEX receiptsDue;
        DROP INDEX notificationsDue;
        """
}

/// The credits that accounts start with, as in `LedgerSQLite` after its version 12.
enum SchemaVersion6 {
    static let sql = """
        CREATE TABLE startingCredits (
            app TEXT COLLATE "C" NOT NULL,
            since BIGINT NOT NULL,
            credits TEXT COLLATE "C" NOT NULL,
            proof TEXT COLLATE "C",
            PRIMARY KEY (app, since)
        );
        CREATE TABLE startingCreditGrants (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            credits TEXT COLLATE "C" NOT NULL,
            appTransactionID TEXT COLLATE "C",
            grantedAt BIGINT NOT NULL,
            PRIMARY KEY (account, app, environment)
        );
        CREATE UNIQUE INDEX startingCreditGrantsProof ON startingCreditGrants (appTransactionID, app, environment)
            WHERE appTransactionID IS NOT NULL;
        """
}

/// The dates by which reports find transactions, as in `LedgerSQLite` after its version 13.
enum SchemaVersion7 {
    static let sql = dateColumns + datesOfFacts + dateIndexes

    private static let dateColumns = """
        ALTER TABLE transactions ADD COLUMN purchasedAt BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN revokedAt BIGINT;
        ALTER TABLE unclaimedTransactions ADD COLUMN purchasedAt BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE unclaimedTransactions ADD COLUMN revokedAt BIGINT;
        ALTER TABLE unclaimedTransactions ADD COLUMN expiresAt BIGINT;

        """

    private static let dateIndexes = """
        CREATE INDEX transactionsPurchased ON transactions (environment, purchasedAt, app, id);
        CREATE INDEX transactionsRevoked ON transactions (environment, revokedAt, app, id) WHERE revokedAt IS NOT NULL;
        DROP INDEX transactionsLine;
        CREATE INDEX transactionsLine ON transactions (originalID, app, environment, purchasedAt, id);
        CREATE INDEX unclaimedPurchased ON unclaimedTransactions (environment, purchasedAt, app, id);
        CREATE INDEX unclaimedRevoked ON unclaimedTransactions (environment, revokedAt, app, id)
            WHERE revokedAt IS NOT NULL;
        CREATE INDEX unclaimedExpiring ON unclaimedTransactions (expiresAt) WHERE expiresAt IS NOT NULL;
        DROP INDEX unclaimedLine;
        CREATE INDEX unclaimedLine ON unclaimedTransactions (originalID, app, environment, purchasedAt, id);
        """

    /// Copies the dates of earlier records.
    static let datesOfFacts = """
        UPDATE transactions SET purchasedAt = CAST(CAST(facts AS json) ->> 'purchaseDate' AS BIGINT),
            revokedAt = CAST(CAST(facts AS json) #>> '{revocation,date}' AS BIGINT);
        UPDATE unclaimedTransactions SET purchasedAt = CAST(CAST(facts AS json) ->> 'purchaseDate' AS BIGINT),
            revokedAt = CAST(CAST(facts AS json) #>> '{revocation,date}' AS BIGINT),
            expiresAt = CAST(CAST(facts AS json) ->> 'expirationDate' AS BIGINT);

        """
}

/// The app transactions that accounts showed, as in `LedgerSQLite` after its version 14.
enum SchemaVersion8 {
    static let sql = """
        CREATE TABLE appTransactions (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            isFirst BIGINT NOT NULL,
            originalPurchasedAt BIGINT NOT NULL,
            originalAppVersion TEXT COLLATE "C" NOT NULL,
            signedAt BIGINT NOT NULL,
            shownAt BIGINT NOT NULL,
            PRIMARY KEY (account, app, environment, id)
        );
        CREATE UNIQUE INDEX appTransactionsFirst ON appTransactions (app, environment, id) WHERE isFirst = 1;
        """
}

/// The queue of what the store is asked for after a delivery or a transfer, as in `LedgerSQLite` after its version
/// 15.
enum SchemaVersion9 {
    static let sql = """
        CREATE TABLE storeTasks (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            recordedAt BIGINT NOT NULL,
            retryAt BIGINT,
            attempts BIGINT NOT NULL DEFAULT 0,
            doubtfulAttempts BIGINT NOT NULL DEFAULT 0,
            badRequestAttempts BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (app, environment, kind, id)
        );
        CREATE INDEX storeTasksDueByApp ON storeTasks (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        """
}
