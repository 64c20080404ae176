/// The decisions that the owners of an original transaction follow from, as in ``LedgerSQLite`` after its version 37.
enum SchemaVersion31 {
    static let sql = """
        ALTER TABLE lines ADD COLUMN owners BYTEA;
        ALTER TABLE lineMoves ADD COLUMN isPayment BIGINT NOT NULL DEFAULT 0;
        UPDATE historyRevisions SET condensed = -1 WHERE account IN (SELECT fromAccount FROM lineMoves);
        """
}
