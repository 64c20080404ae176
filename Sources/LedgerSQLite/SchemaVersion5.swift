extension Schema {
    /// Which notification brought about a delivery. What receipts give access to while they wait for the store: the `id`
    /// is the purchase's, of which all restored copies are one.
    static let version5 = """
        ALTER TABLE deliveries ADD COLUMN notification TEXT;

        CREATE TABLE provisionalPurchases (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts,
            receipt TEXT NOT NULL REFERENCES receipts,
            facts TEXT NOT NULL,
            terms BLOB NOT NULL REFERENCES terms,
            PRIMARY KEY (app, environment, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX provisionalPurchasesAccount ON provisionalPurchases (account);
        CREATE INDEX provisionalPurchasesReceipt ON provisionalPurchases (receipt);
        """
}
