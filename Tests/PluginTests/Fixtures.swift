import Foundation
import InAppPurchase
import TestSupport

/// Noon (UTC) of a day, such as `2026-01-31`; 1 January 1970 where it is none.
func noon(_ day: String) -> Date { Date(rfc3339: day + "T12:00:00Z") ?? Date(milliseconds: 0) }

/// A purchase, known by the store from its very date on.
///
/// - Parameter share: of a refund, in thousandths of a percent.
func bought(
    _ product: ProductID, _ id: TransactionID, original: TransactionID? = nil, on date: Date, until end: Date? = nil,
    quantity: Int = 1, revoked: Bool = false, share: Int? = nil, upgraded: Bool = false,
    ownershipType: Transaction.OwnershipType = .purchased
) -> Transaction {
    Transaction(
        id: id, originalID: original ?? id, app: "com.example.hangman", environment: .production, productID: product,
        quantity: quantity, purchaseDate: date, expirationDate: end,
        revocation: revoked || share != nil
            ? Transaction.Revocation(date: date.addingTimeInterval(1), percentage: share) : nil, isUpgraded: upgraded,
        ownershipType: ownershipType, signedDate: date, isSigned: true)
}

extension ProductHandler {
    /// The entitlement that purchases under the same terms give.
    static func entitlement(
        to product: ProductID, by transactions: [Transaction], terms: Self, credits: Credits = [:],
        renewals: [TransactionID: RenewalFacts] = [:], at date: Date
    ) -> Entitlement {
        let purchases = transactions.map { Purchase(transaction: $0, terms: terms, credits: credits) }
        return entitlement(to: product, given: PurchaseHistory(purchases: purchases, renewals: renewals), at: date)
    }
}
