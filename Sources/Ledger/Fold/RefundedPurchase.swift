import Foundation
import InAppPurchase

/// A purchase whose credits a refund takes back, wholly or in part.
struct RefundedPurchase: Sendable {
    var transaction: Transaction.Key
    /// The name of the purchase, which all its copies share.
    var id: TransactionID
    var product: ProductID
    var date: Date
    /// The credits that are taken back; no amount is 0.
    var credits: Credits
}

extension Purchase {
    /// The refunded purchase; `nil` if no credits are taken back.
    var refunded: RefundedPurchase? {
        let taken = refundedCredits
        guard let revocation = transaction.revocation, transaction.ownershipType == .purchased, !taken.isEmpty else {
            return nil
        }
        return RefundedPurchase(
            transaction: transaction.key, id: name, product: transaction.productID,
            date: revocation.date, credits: taken)
    }
}
