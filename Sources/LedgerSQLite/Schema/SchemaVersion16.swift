extension Schema {
    /// The products that the store did not know, as apps reported: by day, and by the keyed hash of the address.
    static let version16 = """
        CREATE TABLE unavailableProducts (
            day INTEGER NOT NULL,
            app TEXT NOT NULL,
            product TEXT NOT NULL,
            address BLOB NOT NULL,
            PRIMARY KEY (day, app, product, address)
        ) STRICT, WITHOUT ROWID;
        """
}
