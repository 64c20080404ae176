extension Schema {
    /// Credits taken by refunds and the part that was forgiven; sandbox testers, and rows that a reset of their sandbox
    /// forgot.
    ///
    /// A forgotten row is ignored until it is written again. The transfers of an original transaction that come before
    /// `forgottenMoves` are always ignored.
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

        """ + refundsBefore

    /// Records earlier refunds as debts, as they were then: a setting of today must not forgive them.
    static let refundsBefore = """
        INSERT INTO refunds (account, app, environment, id, currency, product, amount, forgiven)
        SELECT t.creditedTo, t.app, t.environment,
            iif(json_extract(t.facts, '$.expirationDate') IS NULL, t.originalID, t.id), c.key, t.product,
            c.value * min(json_extract(t.facts, '$.quantity'), 1000000), 0
        FROM transactions t JOIN terms m ON m.hash = t.terms JOIN json_each(m.product, '$.credits') c
        WHERE json_extract(t.facts, '$.revocation') IS NOT NULL
            AND json_extract(t.facts, '$.ownershipType') = 'PURCHASED'
            AND (t.id = t.originalID OR json_extract(t.facts, '$.expirationDate') IS NOT NULL OR NOT EXISTS (
                SELECT 1 FROM transactions o
                WHERE o.app = t.app AND o.environment = t.environment AND o.id = t.originalID))
        ON CONFLICT DO NOTHING;

        """
}
