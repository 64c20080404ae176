/// The indexes of two lists, as in ``LedgerSQLite`` after its version 30.
enum SchemaVersion24 {
    static let sql = """
        CREATE INDEX accountsTesters ON accounts (testerSince, id) WHERE testerSince IS NOT NULL;
        CREATE INDEX unavailableProductsDay ON unavailableProducts (day DESC, app, product);
        """
}
