package import InAppPurchase

/// An offer of a subscription that the store lets an app use for a customer whom the server names in a signature.
package enum SubscriptionOffer: Hashable, Sendable {
    /// - Parameter subscription: a transaction of a subscription that the customer has or had.
    case promotional(offer: String, product: ProductID, subscription: TransactionID)
    /// - Parameter customer: the ID of a transaction, or app transaction, of the customer.
    case introductory(product: ProductID, customer: TransactionID)
}
