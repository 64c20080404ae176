import InAppPurchase

/// The result of merging copies of transactions with what was recorded.
struct MergeResult {
    /// The transactions that have an owner, of the copies and of those that waited for one; each with what the copies
    /// of its purchase state together.
    var records: [Transaction.Key: RecordedTransaction] = [:]
    var unclaimed: [Transaction.Key: Transaction] = [:]
    /// The records that were not recorded before: nobody has got them yet.
    var new: Set<Transaction.Key> = []
    /// The transactions that are new or changed.
    var changed: Set<Transaction.Key> = []
    /// Whether anything was written of an original transaction, such as its owner, or of a subscription's renewal.
    var changesOriginals = false
    /// The records that were written, before and after.
    var written: RecordedChanges
    /// See ``ClaimedTransactions/remedies``.
    var remedies: [OriginalTransaction.Key: TransferRemedy] = [:]
}
