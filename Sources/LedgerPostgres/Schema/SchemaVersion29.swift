/// The idempotency keys of grants by app, as in ``LedgerSQLite`` after its version 35.
enum SchemaVersion29 {
    static let sql = """
        DROP INDEX productGrantsKey;
        CREATE UNIQUE INDEX productGrantsKey ON productGrants (account, app, idempotencyKey);
        """
}
