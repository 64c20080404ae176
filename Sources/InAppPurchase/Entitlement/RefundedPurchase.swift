import Foundation

/// A purchase whose credits a refund takes: counted by the rule, were it not revoked.
struct RefundedPurchase: Sendable {
    var transaction: Transaction.Key
    /// The same for all restored copies of the purchase.
    var id: TransactionID
    var product: ProductID
    var date: Date
    /// Those of all units.
    var credits: Credits
}

extension Purchase {
    /// Nil where it is not revoked, or never earned credits.
    var refunded: RefundedPurchase? {
        guard let revocation = transaction.revocation, transaction.ownershipType == .purchased, !credits.isEmpty else {
            return nil
        }
        return RefundedPurchase(
            transaction: transaction.key, id: transaction.purchaseID, product: transaction.productID,
            date: revocation.date, credits: allCredits)
    }
}
