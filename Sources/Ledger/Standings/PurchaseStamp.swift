import Foundation
import InAppPurchase

/// The purchase that is the latest of a product in one role of the account.
struct PurchaseStamp: Codable, Hashable, Sendable {
    var date: Date
    var id: TransactionID
    /// See ``/InAppPurchase/Transaction/provenType``.
    var type: ProductType?

    init(_ transaction: Transaction) {
        date = transaction.purchaseDate
        id = transaction.id
        type = transaction.provenType
    }

    /// Whether it comes after another one; of two at one moment the one with the smaller ID.
    func isLater(than other: Self) -> Bool { (date, other.id) > (other.date, id) }
}
