/// The idempotency keys of grants by app, as in `LedgerSQLite` after its version 35.
enum SchemaVersion29 {
    static let sql = """
        DROP INDEX productGrantsKey;
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, app, idempotencyKey);
        """
}

/// The purchases that transactions are copies of, as in `LedgerSQLite` after its version 36.
enum SchemaVersion30 {
    static let sql = """
        ALTER TABLE transactions ADD COLUMN purchase TEXT COLLATE "C";
        ALTER TABLE transactions ADD COLUMN lineItem TEXT COLLATE "C";
        ALTER TABLE transactions ADD COLUMN isDoubled BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN purchaseFacts TEXT;
        DROP TRIGGER transactionsChangedChangeReports ON transactions;
        \(SchemaVersion22.changeTrigger(
            on: "transactions", comparing: ["facts", "terms", "forgottenAt", "purchase", "purchaseFacts"]))
        CREATE TABLE condensedBefore AS SELECT account FROM historyRevisions WHERE condensed = revision;
        \(copiesBefore)
        UPDATE historyRevisions SET condensed = revision WHERE account IN (SELECT account FROM condensedBefore);
        DROP TABLE condensedBefore;
        CREATE INDEX transactionsCopies ON transactions (app, environment, purchase) WHERE purchase IS NOT NULL;
        CREATE INDEX transactionsLineItem ON transactions (app, environment, lineItem) WHERE lineItem IS NOT NULL;
        CREATE INDEX transactionsDoubled ON transactions (creditedTo, app, environment, id)
            WHERE isDoubled = 1;
        """

    /// Finds the copies among earlier transactions.
    static let copiesBefore = """
        \(lineItemsBefore)
        \(doubled(by: "lineItem, CASE WHEN \(ownership) = 'PURCHASED' THEN '' ELSE originalID END", of: "true"))
        \(doubled(by: "originalID, product, purchasedAt / 1000", of: "lineItem IS NULL OR item IS NULL"))
        """

    private static let ownership = #"coalesce(substring(facts from '"ownershipType":"([^"\\]+)"'), 'PURCHASED')"#

    private static let lineItemsBefore = #"""
        UPDATE transactions SET lineItem = substring(facts from '"webOrderLineItemID":"([^"\\]+)"')
            WHERE expiresAt IS NOT NULL AND facts LIKE '%"webOrderLineItemID":"%';
        """#

    private static func doubled(by columns: String, of condition: String) -> String {
        """
        UPDATE transactions SET isDoubled = 1 FROM (
            SELECT app, environment, id, lineItem, row_number() OVER period AS place,
                first_value(lineItem) OVER period AS item
            FROM transactions WHERE expiresAt IS NOT NULL AND forgottenAt IS NULL
                AND \(columns.hasPrefix("lineItem") ? "lineItem IS NOT NULL" : "isDoubled = 0")
            WINDOW period AS (PARTITION BY app, environment, \(columns), \(ownership) ORDER BY purchasedAt, id)
        ) copies
        WHERE transactions.app = copies.app AND transactions.environment = copies.environment
            AND transactions.id = copies.id AND place > 1 AND (\(condition.replacing("lineItem", with: "copies.lineItem")));
        """
    }
}

/// The decisions that the owners of an original transaction follow from, as in `LedgerSQLite` after its version 37.
enum SchemaVersion31 {
    static let sql = """
        ALTER TABLE lines ADD COLUMN owners BYTEA;
        ALTER TABLE lineMoves ADD COLUMN isPayment BIGINT NOT NULL DEFAULT 0;
        UPDATE historyRevisions SET condensed = -1 WHERE account IN (SELECT fromAccount FROM lineMoves);
        """
}

/// The periods whose credits are posted when they begin, and the joined original transactions, as in `LedgerSQLite`
/// after its version 38.
enum SchemaVersion32 {
    static let sql = """
        ALTER TABLE transactions ADD COLUMN creditsFrom BIGINT;
        CREATE INDEX transactionsCreditsFrom ON transactions (creditsFrom)
            WHERE creditsFrom IS NOT NULL AND forgottenAt IS NULL;
        CREATE TABLE joinedLines (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            originalID TEXT COLLATE "C" NOT NULL,
            name TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, environment, originalID)
        );
        CREATE INDEX joinedLinesName ON joinedLines (app, environment, name);
        """
}

/// The versions of the app that receipts and app transactions name, as in `LedgerSQLite` after its version 39.
enum SchemaVersion33 {
    static let sql = """
        ALTER TABLE receipts ADD COLUMN appVersion TEXT COLLATE "C", ADD COLUMN versionExternalID BIGINT,
            ADD COLUMN isBelowMinimum BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE appTransactions ADD COLUMN appVersion TEXT COLLATE "C", ADD COLUMN versionExternalID BIGINT;
        ALTER TABLE reportSums ADD COLUMN versions TEXT COLLATE "C";
        UPDATE reportDays SET dueAt = 0 WHERE folded IS NOT NULL;
        """
}

/// The IDs that the studio's own systems have for players, as in `LedgerSQLite` after its version 40.
enum SchemaVersion34 {
    static let sql = """
        ALTER TABLE accounts ADD COLUMN externalID TEXT COLLATE "C";
        CREATE UNIQUE INDEX accountsExternalID ON accounts (externalID) WHERE externalID IS NOT NULL;
        """
}

/// The notes of administrators about players, as in `LedgerSQLite` after its version 41.
enum SchemaVersion35 {
    static let sql = """
        CREATE TABLE accountNotes (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            id TEXT COLLATE "C" NOT NULL,
            content TEXT COLLATE "C" NOT NULL,
            actor TEXT COLLATE "C" NOT NULL,
            writtenAt BIGINT NOT NULL,
            PRIMARY KEY (account, id)
        );
        """
}
