extension Schema {
    /// What refunds took, and what of it was forgiven.
    static let version4 = """
        CREATE TABLE refunds (
            account TEXT NOT NULL REFERENCES accounts,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            currency TEXT NOT NULL,
            product TEXT NOT NULL,
            amount INTEGER NOT NULL,
            forgiven INTEGER NOT NULL,
            PRIMARY KEY (account, app, environment, id, currency)
        ) STRICT, WITHOUT ROWID;

        """
}
