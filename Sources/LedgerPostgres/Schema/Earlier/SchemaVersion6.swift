/// The credits that accounts start with, as in ``LedgerSQLite`` after its version 12.
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
