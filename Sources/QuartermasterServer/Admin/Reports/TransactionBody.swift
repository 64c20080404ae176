import Foundation
import InAppPurchase
import Ledger

struct TransactionBody: Encodable {
    var id: TransactionID
    var originalID: TransactionID
    var app: BundleID
    var environment: Environment
    var product: ProductID
    /// The App Store's product type, which app receipts do not have.
    var productType: ProductType?
    var quantity: Int
    var purchaseDate: Date
    var originalPurchaseDate: Date?
    var expirationDate: Date?
    var revocationDate: Date?
    var revocationReason: Int?
    /// The share of a partial refund, in thousandths of a percent.
    var revocationPercentage: Int?
    var isUpgraded: Bool
    var ownershipType: Transaction.OwnershipType
    var appAccountToken: String?
    var subscriptionGroupID: String?
    var signedDate: Date
    var owner: String
    var creditedTo: String
    /// The product as it was when the transaction was first recorded; omitted while the catalog has no matching
    /// product.
    var terms: Product?

    init(_ record: RecordedTransaction) {
        let transaction = record.transaction
        id = transaction.id
        originalID = transaction.originalID
        app = transaction.app
        environment = transaction.environment
        product = transaction.productID
        productType = transaction.productType
        quantity = transaction.quantity
        purchaseDate = transaction.purchaseDate
        originalPurchaseDate = transaction.originalPurchaseDate
        expirationDate = transaction.expirationDate
        revocationDate = transaction.revocation?.date
        revocationReason = transaction.revocation?.reason
        revocationPercentage = transaction.revocation?.percentage
        isUpgraded = transaction.isUpgraded
        ownershipType = transaction.ownershipType
        appAccountToken = transaction.appAccountToken?.text
        subscriptionGroupID = transaction.subscriptionGroupID
        signedDate = transaction.signedDate
        owner = record.owner.text
        creditedTo = record.creditedTo.text
        terms = record.terms
    }
}
