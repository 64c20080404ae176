/// The periods that customers bought with an offer, as in ``LedgerSQLite`` after its version 34.
enum SchemaVersion28 {
    static let sql = """
        ALTER TABLE appTransactions ADD COLUMN lastShownAt BIGINT;

        CREATE TABLE offerPeriods (
            appTransactionID TEXT COLLATE "C" NOT NULL,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (appTransactionID, app, environment, id)
        );
        \(offerPeriodsBefore)
        """

    /// Finds them in earlier transactions, by the text that the server writes: a cast to JSON would fail for facts that
    /// PostgreSQL cannot hold, such as `\\u0000`.
    static let offerPeriodsBefore = ["transactions", "unclaimedTransactions"].map { table in
        """
        INSERT INTO offerPeriods (appTransactionID, app, environment, id)
            SELECT customer, app, environment, id FROM (
                SELECT substring(facts from '"appTransactionID":"([^"\\\\]+)"') AS customer, app, environment, id
                FROM \(table)
                WHERE facts LIKE '%"offer":{%' OR facts LIKE '%"isTrialPeriod":true%'
                    OR facts LIKE '%"isIntroductoryPeriod":true%') found
            WHERE customer IS NOT NULL ON CONFLICT DO NOTHING;
        """
    }.joined(separator: "\n")
}
