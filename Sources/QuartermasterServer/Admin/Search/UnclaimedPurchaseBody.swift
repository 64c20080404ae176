import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

/// A purchase that nobody presented.
struct UnclaimedPurchaseBody: Encodable {
    struct Entry: Encodable {
        var id: TransactionID
        var product: ProductID
        var quantity: Int
        var purchaseDate: Date
        var expirationDate: Date?
        var revocationDate: Date?
        var revocationType: String?
        var ownershipType: Transaction.OwnershipType
        /// The whole price, in thousandths of the currency.
        var price: Int?
        var currency: String?
        var orderID: String?

        init(_ transaction: Transaction) {
            id = transaction.id
            product = transaction.productID
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
        var refundDate: Date? { ownershipType.isRefunded(byRevocationOf: revocationType) ? revocationDate : nil }
    }

    var app: BundleID
    var environment: Environment
    var originalID: TransactionID
    /// The newest first.
    var transactions: [Entry]
    /// Whether there are older transactions; omitted if not.
    var truncated: Bool?
    /// The date of purchase of the first transaction.
    var since: Date

    init(_ purchase: UnclaimedPurchase) {
        app = purchase.key.app
        environment = purchase.key.environment
        originalID = purchase.key.originalID
        transactions = purchase.transactions.entries.map(Entry.init)
        truncated = purchase.transactions.isTruncated ? true : nil
        since = purchase.since
    }
}
