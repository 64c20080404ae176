/// The transactions of the orders that the store was asked about, as in ``LedgerSQLite`` after its version 18.
enum SchemaVersion12 {
    static let sql = """
        CREATE TABLE orderTransactions (
            orderID TEXT COLLATE "C" NOT NULL,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (orderID, app, environment, id)
        );
        """
}
