extension Schema {
    /// The periods that a customer bought with an offer, whoever owns them, by the ID of the customer's app
    /// transaction; and when an account last showed an app transaction.
    static let version34 = """
        ALTER TABLE appTransactions ADD COLUMN lastShownAt INTEGER;

        CREATE TABLE offerPeriods (
            appTransactionID TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (appTransactionID, app, environment, id)
        ) STRICT, WITHOUT ROWID;
        \(offerPeriodsBefore)
        """

    /// Finds them in earlier transactions.
    static let offerPeriodsBefore = ["transactions", "unclaimedTransactions"].map { table in
        """
        INSERT OR IGNORE INTO offerPeriods (appTransactionID, app, environment, id)
            SELECT json_extract(facts, '$.details.appTransactionID'), app, environment, id FROM \(table)
            WHERE json_extract(facts, '$.details.appTransactionID') IS NOT NULL AND (
                json_extract(facts, '$.details.offer') IS NOT NULL OR json_extract(facts, '$.details.isTrialPeriod')
                OR json_extract(facts, '$.details.isIntroductoryPeriod'));
        """
    }.joined(separator: "\n")
}
