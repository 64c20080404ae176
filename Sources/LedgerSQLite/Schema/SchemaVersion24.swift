extension Schema {
    /// Access to products without a purchase, which administrators gave. One that stands was not taken back and has not
    /// ended; the number in its index is the end of one that has none. The last index finds the newest accounts.
    static let version24 = """
        CREATE TABLE productGrants (
            account TEXT NOT NULL REFERENCES accounts,
            id TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            product TEXT NOT NULL,
            terms BLOB REFERENCES terms,
            endsAt INTEGER,
            idempotencyKey TEXT NOT NULL,
            actor TEXT NOT NULL,
            reason TEXT NOT NULL,
            grantedAt INTEGER NOT NULL,
            revokedAt INTEGER,
            PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, idempotencyKey);
        CREATE INDEX productGrantsGiven ON productGrants (account, grantedAt);
        CREATE INDEX productGrantsStanding ON productGrants (account, (coalesce(endsAt, 9223372036854775807)))
            WHERE revokedAt IS NULL;

        CREATE INDEX accountsCreated ON accounts (createdAt, id);
        """
}
