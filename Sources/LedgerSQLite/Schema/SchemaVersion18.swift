extension Schema {
    /// The transactions of the orders that the store was asked about.
    static let version18 = """
        CREATE TABLE orderTransactions (
            orderID TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (orderID, app, environment, id)
        ) STRICT, WITHOUT ROWID;
        """
}
