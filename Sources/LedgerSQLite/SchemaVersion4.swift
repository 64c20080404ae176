extension Schema {
    /// What refunds took, and what of it was forgiven; sandbox testers, and what a reset of their sandbox forgot.
    ///
    /// A forgotten row counts as not there until it is written again. The moves of a line that come before
    /// `forgottenMoves` never count again.
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

        ALTER TABLE accounts ADD COLUMN testerSince INTEGER;
        ALTER TABLE lines ADD COLUMN forgottenAt INTEGER;
        ALTER TABLE lines ADD COLUMN forgottenMoves INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE transactions ADD COLUMN forgottenAt INTEGER;
        ALTER TABLE deliveries ADD COLUMN forgottenAt INTEGER;

        """
}
