/// The indexes by which the history of a player is read, as in ``LedgerSQLite`` after its version 19.
enum SchemaVersion13 {
    static let sql = """
        DROP INDEX transactionsCredited;
        CREATE INDEX transactionsCredited ON transactions (creditedTo, app, environment, purchasedAt, id);
        ALTER TABLE lines ADD COLUMN changedOwner BIGINT NOT NULL DEFAULT 0;
        UPDATE lines SET changedOwner = 1
        FROM transactions t
        WHERE lines.app = t.app AND lines.environment = t.environment AND lines.originalID = t.originalID
            AND lines.owner <> t.creditedTo;
        CREATE INDEX linesChangedOwner ON lines (owner) WHERE changedOwner = 1;
        """
}
