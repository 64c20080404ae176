/// The products that the store did not know, as in ``LedgerSQLite`` after its version 16.
enum SchemaVersion10 {
    static let sql = """
        CREATE TABLE unavailableProducts (
            day BIGINT NOT NULL,
            app TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            address BYTEA NOT NULL,
            PRIMARY KEY (day, app, product, address)
        );
        """
}
