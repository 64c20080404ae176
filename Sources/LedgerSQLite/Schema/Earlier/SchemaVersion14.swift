extension Schema {
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
}
