extension Schema {
    /// The indexes by which testers are listed, and the products that the store did not know, latest first.
    static let version30 = """
        CREATE INDEX accountsTesters ON accounts (testerSince, id) WHERE testerSince IS NOT NULL;
        CREATE INDEX unavailableProductsDay ON unavailableProducts (day DESC, app, product);
        """
}
