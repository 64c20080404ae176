extension Schema {
    /// The purchases that transactions are copies of; `purchaseFacts` has what the copies of one state together, beside
    /// the copy that gave it its name. What was recorded of one period under two IDs before counts as
    /// two purchases until it is repaired, so that no credits are taken back by a start.
    static let version36 = """
        ALTER TABLE transactions ADD COLUMN purchase TEXT;
        ALTER TABLE transactions ADD COLUMN lineItem TEXT;
        ALTER TABLE transactions ADD COLUMN isDoubled INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN purchaseFacts TEXT;
        DROP TRIGGER transactionsChangedChangeReports;
        \(changeTrigger(on: "transactions", comparing: ["facts", "terms", "forgottenAt", "purchase", "purchaseFacts"]))
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
        \(doubled(by: "lineItem, CASE WHEN \(ownership) = 'PURCHASED' THEN '' ELSE originalID END", of: "1"))
        \(doubled(by: "originalID, product, purchasedAt / 1000", of: "lineItem IS NULL OR item IS NULL"))
        """

    private static let ownership = "coalesce(json_extract(facts, '$.ownershipType'), 'PURCHASED')"

    private static let lineItemsBefore = """
        UPDATE transactions SET lineItem = json_extract(facts, '$.details.webOrderLineItemID')
            WHERE expiresAt IS NOT NULL AND json_extract(facts, '$.details.webOrderLineItemID') IS NOT NULL;
        """

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

    /// The decisions that owners follow from, and the transfers that were payments. The histories of
    /// accounts that an original transaction was transferred from are condensed anew: they tell when own periods ended.
    static let version37 = """
        ALTER TABLE lines ADD COLUMN owners BLOB;
        ALTER TABLE lineMoves ADD COLUMN isPayment INTEGER NOT NULL DEFAULT 0;
        UPDATE historyRevisions SET condensed = -1 WHERE account IN (SELECT fromAccount FROM lineMoves);
        """

    /// The periods whose credits are posted when they begin, and the original transactions that are another one, since
    /// one period is of both. The credits of periods that an earlier version credited ahead of their beginning stay
    /// posted.
    static let version38 = """
        ALTER TABLE transactions ADD COLUMN creditsFrom INTEGER;
        CREATE INDEX transactionsCreditsFrom ON transactions (creditsFrom)
            WHERE creditsFrom IS NOT NULL AND forgottenAt IS NULL;
        CREATE TABLE joinedLines (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            originalID TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (app, environment, originalID)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX joinedLinesName ON joinedLines (app, environment, name);
        """

    /// The versions of the app that receipts and app transactions name. The sums of days by version are made anew by
    /// and by; until then a day counts as not summed for a report by version.
    static let version39 = """
        ALTER TABLE receipts ADD COLUMN appVersion TEXT;
        ALTER TABLE receipts ADD COLUMN versionExternalID INTEGER;
        ALTER TABLE receipts ADD COLUMN isBelowMinimum INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE appTransactions ADD COLUMN appVersion TEXT;
        ALTER TABLE appTransactions ADD COLUMN versionExternalID INTEGER;
        ALTER TABLE reportSums ADD COLUMN versions TEXT;
        UPDATE reportDays SET dueAt = 0 WHERE folded IS NOT NULL;
        """

    /// The IDs that the studio's own systems have for players.
    static let version40 = """
        ALTER TABLE accounts ADD COLUMN externalID TEXT;
        CREATE UNIQUE INDEX accountsExternalID ON accounts (externalID) WHERE externalID IS NOT NULL;
        """

    /// The notes of administrators about players.
    static let version41 = """
        CREATE TABLE accountNotes (
            account TEXT NOT NULL REFERENCES accounts,
            id TEXT NOT NULL,
            content TEXT NOT NULL,
            actor TEXT NOT NULL,
            writtenAt INTEGER NOT NULL,
            PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        """
}
