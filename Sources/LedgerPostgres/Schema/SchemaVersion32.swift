/// The periods whose credits are posted when they begin, and the joined original transactions, as in ``LedgerSQLite``
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
