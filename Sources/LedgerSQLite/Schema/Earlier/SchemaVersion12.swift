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
}
