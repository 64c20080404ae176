public import StoreClient

/// The transactions of a customer, as far as they were read.
public struct TransactionHistory: Sendable {
    /// The verified transactions.
    public var answer: AppStoreAnswer
    /// A token for the next request with the same filter, which then returns only later changes. Useful only in
    /// ascending order, which is also that of refunds.
    public var revision: String?
    /// The reason why there may be more, to be read from ``revision`` on; `nil` if all were read.
    public var interruption: Unavailability?
}
