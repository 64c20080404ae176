package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// A purchase that nobody presented.
package struct UnclaimedPurchaseBody: Codable {
    package struct Entry: Codable {
        package var id: TransactionID
        package var product: ProductID
        /// The App Store's product type; omitted if nothing proves it.
        package var productType: ProductType?
        package var quantity: Int
        package var purchaseDate: Date
        package var expirationDate: Date?
        package var revocationDate: Date?
        var revocationType: String?
        package var ownershipType: Transaction.OwnershipType
        /// The whole price, in thousandths of the currency.
        package var price: Int?
        package var currency: String?
        package var orderID: String?

        package init(_ transaction: Transaction) {
            id = transaction.id
            product = transaction.productID
            productType = transaction.provenType
            quantity = transaction.quantity
            purchaseDate = transaction.purchaseDate
            expirationDate = transaction.expirationDate
            revocationDate = transaction.revocation?.date
            revocationType = transaction.revocationDetails?.type
            ownershipType = transaction.ownershipType
            price = transaction.details?.price
            currency = transaction.details?.currency
            orderID = transaction.details?.orderID
        }

        /// The date of the refund; `nil` also if the end of Family Sharing revoked the purchase.
        package var refundDate: Date? {
            ownershipType.isRefunded(byRevocationOf: revocationType) ? revocationDate : nil
        }
    }

    package var app: BundleID
    package var environment: Environment
    package var originalID: TransactionID
    /// The newest first.
    package var transactions: [Entry]
    /// Whether there are older transactions; omitted if not.
    package var truncated: Bool?
    /// The date of purchase of the first transaction.
    package var since: Date

    package init(_ purchase: UnclaimedPurchase) {
        app = purchase.key.app
        environment = purchase.key.environment
        originalID = purchase.key.originalID
        transactions = purchase.transactions.entries.map(Entry.init)
        truncated = purchase.transactions.isTruncated ? true : nil
        since = purchase.since
    }
}
