/// Access to products without a purchase, as in ``LedgerSQLite`` after its version 24.
enum SchemaVersion18 {
    static let sql = """
        CREATE TABLE productGrants (
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            id TEXT COLLATE "C" NOT NULL,
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            product TEXT COLLATE "C" NOT NULL,
            terms BYTEA REFERENCES terms,
            endsAt BIGINT,
            idempotencyKey TEXT COLLATE "C" NOT NULL,
            actor TEXT COLLATE "C" NOT NULL,
            reason TEXT COLLATE "C" NOT NULL,
            grantedAt BIGINT NOT NULL,
            revokedAt BIGINT,
            PRIMARY KEY (account, id)
        );
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, idempotencyKey);
        CREATE INDEX productGrantsGiven ON productGrants (account, grantedAt);
        CREATE INDEX productGrantsStanding ON productGrants (account, (coalesce(endsAt, 9223372036854775807)))
            WHERE revokedAt IS NULL;

        CREATE INDEX accountsCreated ON accounts (createdAt, id);
        """
}
