extension Schema {
    /// What waits for the store is counted at every scrape, also when an outage made it much. The columns come after a
    /// receipt's content, which is long: without an index all of it would be read.
    static let version3 = """
        CREATE INDEX receiptsWaiting ON receipts (answeredAt, recordedAt) WHERE status = 'pending';
        """
}
