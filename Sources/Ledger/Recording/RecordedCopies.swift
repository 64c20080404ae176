package import InAppPurchase

/// The rows that a ledger has of transactions whose copies are presented or reported.
package struct RecordedCopies: Sendable {
    /// The recorded ones among the transactions, in no order.
    package var records: [RecordedTransaction]
    /// Those of the copies' original transactions that have an owner.
    package var originals: [OriginalTransaction.Key: OriginalTransaction]
    /// The original transactions without an owner that recorded transactions wait for.
    package var awaited: Set<OriginalTransaction.Key>
    /// The original IDs that stand for those of the copies, which turned out to be of the same original transactions.
    package var joined: [OriginalTransaction.Key: TransactionID] = [:]

    package init(
        records: [RecordedTransaction] = [], originals: [OriginalTransaction.Key: OriginalTransaction] = [:],
        awaited: Set<OriginalTransaction.Key> = []
    ) {
        self.records = records
        self.originals = originals
        self.awaited = awaited
    }
}
