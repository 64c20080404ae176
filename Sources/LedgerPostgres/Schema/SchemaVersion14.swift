/// The idempotency keys of requests for new accounts, as in ``LedgerSQLite`` after its version 20.
enum SchemaVersion14 {
    static let sql = """
        CREATE TABLE accountKeys (
            key BYTEA NOT NULL PRIMARY KEY,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            createdAt BIGINT NOT NULL,
            repeats BIGINT NOT NULL DEFAULT 0
        );
        CREATE INDEX accountKeysCreated ON accountKeys (createdAt);
        """
}
