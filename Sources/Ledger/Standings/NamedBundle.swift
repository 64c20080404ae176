import Foundation
import InAppPurchase

/// A bundle that a product named at purchase, with the first purchase that did.
struct NamedBundle: Codable, Hashable, Sendable {
    var bundle: BundleName
    var date: Date
    var id: TransactionID
    /// The place among the purchase's bundles.
    var place: Int

    var order: (Date, TransactionID, Int) { (date, id, place) }
}
