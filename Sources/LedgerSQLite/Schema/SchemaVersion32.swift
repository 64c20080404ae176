extension Schema {
    /// The lists of rejected receipts by reason and date alone. Those of all reasons are merged when they are read, and
    /// the few receipts of one millisecond sorted: with IDs, four indexes took a tenth of the room that somebody who
    /// sends garbage can fill.
    static let version32 = """
        DROP INDEX receiptsRejectedByDate;
        DROP INDEX receiptsRejectedByApp;
        DROP INDEX receiptsRejectedByReason;
        DROP INDEX receiptsRejectedByAppAndReason;
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt)
            WHERE status = 'rejected';
        """
}
