/// The queue of what the store is asked for after a delivery or a transfer, as in ``LedgerSQLite`` after its version
/// 15.
enum SchemaVersion9 {
    static let sql = """
        CREATE TABLE storeTasks (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            id TEXT COLLATE "C" NOT NULL,
            account TEXT COLLATE "C" NOT NULL REFERENCES accounts,
            recordedAt BIGINT NOT NULL,
            retryAt BIGINT,
            attempts BIGINT NOT NULL DEFAULT 0,
            doubtfulAttempts BIGINT NOT NULL DEFAULT 0,
            badRequestAttempts BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (app, environment, kind, id)
        );
        CREATE INDEX storeTasksDueByApp ON storeTasks (app, retryAt, recordedAt) WHERE retryAt IS NOT NULL;
        """
}
