package import InAppPurchase

/// The name that a purchase is looked up by.
package enum PurchaseName: Hashable, Sendable {
    /// The ID of a transaction, or an original ID.
    case transaction(TransactionID)
    /// The ID of an original transaction.
    case originalTransaction(TransactionID)
    /// The order ID in the customer's e-mail.
    case order(String)
}
