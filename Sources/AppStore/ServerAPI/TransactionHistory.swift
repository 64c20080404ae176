/// A customer's transactions, as far as they were read.
public struct TransactionHistory: Sendable {
    public var answer: AppStoreAnswer
    /// Given back to the store with the same filter, it tells only what changed since. Of use only where the order is
    /// ascending, as it is of refunds.
    public var revision: String?
    /// Why there may be more, to be read from ``revision`` on; nil where this is all.
    public var interruption: Unavailability?
}
