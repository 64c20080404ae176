package import Foundation
package import InAppPurchase

/// The purchase that an entitlement is by: the newest of the product that the account owns.
package struct PurchaseFacts: Hashable, Sendable {
    /// The date of the purchase, or of a subscription's newest renewal. A restored copy counts as what it restores.
    package var date: Date
    package var ownershipType: Transaction.OwnershipType

    init(_ transaction: Transaction) {
        date =
            transaction.isRestoredCopy
            ? transaction.originalPurchaseDate ?? transaction.purchaseDate : transaction.purchaseDate
        ownershipType = transaction.ownershipType
    }
}
