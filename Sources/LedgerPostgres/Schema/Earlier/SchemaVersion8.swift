/// The app transactions that accounts showed, as in ``LedgerSQLite`` after its version 14.
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
