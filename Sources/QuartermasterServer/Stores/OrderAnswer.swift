import InAppPurchase

/// A store's answer to the question about the transactions of an order.
enum OrderAnswer: Sendable {
    /// The transactions of the order.
    case found(VerifiedReceipt)
    /// No app that was asked has such an order.
    case unknown
    /// Nothing was asked: no app has a key for the store's API.
    case withoutKey
    /// The store gave no answer for some app, and none of the others has the order.
    case unavailable
}
