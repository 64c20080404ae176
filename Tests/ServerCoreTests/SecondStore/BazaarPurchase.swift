import Foundation
import InAppPurchase

/// A purchase in the words of the Bazaar, a store that is not Apple's: its IDs are letters and digits, and it knows no
/// bundle IDs, environments or original transactions by those names.
struct BazaarPurchase: Codable, Hashable, Sendable {
    /// Letters and digits; the case of the letters counts.
    var code: String
    /// The code of the first purchase that this one repeats; for a first purchase, its own.
    var first: String
    /// The ID in the customer's e-mail; the case of the letters counts.
    var order: String
    var game: String
    var item: String
    var kind: ProductType
    /// The account that the app named with the purchase.
    var buyer: UUID?
    var bought: Date
    var stated: Date
    var takenBack: Date?

    var transaction: Transaction {
        var details = PurchaseDetails()
        details.orderID = order
        return Transaction(
            id: TransactionID(stored: code), originalID: TransactionID(stored: first), app: BundleID(stored: game),
            environment: .production, productID: ProductID(stored: item), productType: kind, purchaseDate: bought,
            originalPurchaseDate: bought, revocation: takenBack.map { Transaction.Revocation(date: $0) },
            appAccountToken: buyer, details: details, signedDate: stated, isSigned: true)
    }

    func takenBack(on date: Date) -> BazaarPurchase {
        var copy = self
        (copy.takenBack, copy.stated) = (date, date)
        return copy
    }
}
