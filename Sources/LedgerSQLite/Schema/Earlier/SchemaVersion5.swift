extension Schema {
    /// The notification that caused a delivery. Provisional access of pending receipts: the `id` is the purchase's,
    /// which all restored copies share.
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
