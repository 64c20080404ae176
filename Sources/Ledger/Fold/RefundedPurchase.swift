import Foundation
import InAppPurchase

/// A purchase of whose credits a refund takes some or all.
struct RefundedPurchase: Sendable {
    var transaction: Transaction.Key
    /// The same for all restored copies of the purchase.
    var id: TransactionID
    var product: ProductID
    var date: Date
    /// What the refund takes; no amount is 0.
    var credits: Credits
}

extension Purchase {
    /// Nil where no credits are taken back.
    var refunded: RefundedPurchase? {
        let taken = refundedCredits
        guard let revocation = transaction.revocation, transaction.ownershipType == .purchased, !taken.isEmpty else {
            return nil
        }
        return RefundedPurchase(
            transaction: transaction.key, id: transaction.purchaseID, product: transaction.productID,
            date: revocation.date, credits: taken)
    }
}
