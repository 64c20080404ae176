import InAppPurchase

/// All that a handler says of one history.
struct HandlerResult: Sendable {
    var products: [ProductID: HistoryAnswer]
    var counted: [Transaction.Key]
    var refunded: [RefundedPurchase]
}
