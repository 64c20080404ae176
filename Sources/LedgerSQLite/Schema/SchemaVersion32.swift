extension Schema {
    /// The lists of rejected receipts by date alone: the few of one millisecond are sorted when they are read. With
    /// their IDs the indexes took a tenth of the room that somebody who sends garbage can fill.
    static let version32 = """
        DROP INDEX receiptsRejectedByDate;
        DROP INDEX receiptsRejectedByApp;
        DROP INDEX receiptsRejectedByReason;
        DROP INDEX receiptsRejectedByAppAndReason;
        CREATE INDEX receiptsRejectedByDate ON receipts (recordedAt) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByApp ON receipts (app, recordedAt) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByReason ON receipts (rejection, recordedAt) WHERE status = 'rejected';
        CREATE INDEX receiptsRejectedByAppAndReason ON receipts (app, rejection, recordedAt)
            WHERE status = 'rejected';
        """
}
