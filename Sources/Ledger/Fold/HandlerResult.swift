import InAppPurchase

/// A handler's answers for one history.
struct HandlerResult: Sendable {
    var products: [ProductID: HistoryAnswer]
    /// See ``HandlerResults/counted``.
    var counted: [Transaction.Key]
    var refunded: [RefundedPurchase]
}
