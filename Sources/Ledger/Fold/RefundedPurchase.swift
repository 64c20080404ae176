import Foundation
import InAppPurchase

/// A purchase whose credits are taken back, wholly or in part: by a refund, or since the customer left the period.
struct RefundedPurchase: Sendable {
    var transaction: Transaction.Key
    /// The name of the purchase, which all its copies share.
    var id: TransactionID
    var product: ProductID
    var date: Date
    /// The credits that are taken back; no amount is 0.
    var credits: Credits
    /// Whether a refund takes them back.
    var isRefund: Bool
}

extension Purchase {
    /// The refunded purchase; `nil` if no credits are taken back.
    var refunded: RefundedPurchase? {
        let (taken, revocation) = (takenCredits, transaction.revocation)
        guard let date = revocation?.date ?? transaction.leftDate, transaction.ownershipType == .purchased,
            !taken.isEmpty
        else { return nil }
        return RefundedPurchase(
            transaction: transaction.key, id: name, product: transaction.productID,
            date: date, credits: taken, isRefund: revocation != nil)
    }
}
