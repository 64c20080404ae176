/// The lists of rejected receipts by reason and date alone, as in ``LedgerSQLite`` after its version 32.
enum SchemaVersion26 {
    static let sql = """
        DROP INDEX receiptsRejectedByDate;
        DROP INDEX receiptsRejectedByApp;
        DROP INDEX receiptsRejectedByReason;
        DROP INDEX receiptsRejectedByAppAndReason;
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt)
            WHERE status = 'rejected';
        """
}
