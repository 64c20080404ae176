import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

package struct TransactionBody: Codable {
    var id: TransactionID
    var originalID: TransactionID
    var app: BundleID
    var environment: Environment
    var product: ProductID
    /// The App Store's product type, which app receipts do not have.
    var productType: ProductType?
    /// Of a subscription the number of seats.
    var quantity: Int
    /// Seats that refunds took back while the period goes on; omitted if none were.
    var revokedSeatQuantity: Int?
    var purchaseDate: Date
    var originalPurchaseDate: Date?
    var expirationDate: Date?
    var revocationDate: Date?
    var revocationReason: Int?
    /// The share of a partial refund, in thousandths of a percent.
    var revocationPercentage: Int?
    var revocationType: String?
    var isUpgraded: Bool
    var ownershipType: Transaction.OwnershipType
    var appAccountToken: String?
    var subscriptionGroupID: String?
    /// The whole price, of a subscription the average of one seat, in thousandths of the currency.
    var price: Int?
    var currency: String?
    var storefront: String?
    var storefrontID: String?
    var offer: PurchaseOfferBody?
    /// Whether the period is a free trial; omitted if no copy states anything about it.
    var isTrial: Bool?
    var isIntroductoryPeriod: Bool?
    /// `PURCHASE` or `RENEWAL`.
    var transactionReason: String?
    /// `SEAT_ADDITION` if several transactions represent the period.
    var additionalTransactionReason: String?
    var billingPlanType: String?
    var commitmentInfo: SubscriptionBody.Commitment?
    var webOrderLineItemID: String?
    var appTransactionID: String?
    var appVersion: String?
    var originalAppVersion: String?
    var orderID: String?
    var signedDate: Date
    var owner: String
    var creditedTo: String
    /// The product as it was when the transaction was first recorded; omitted while the catalog has no matching
    /// product.
    var terms: TermsBody?

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
        revocationReason = transaction.revocationDetails?.reason
        revocationPercentage = transaction.revocation?.percentage
        revocationType = transaction.revocationDetails?.type
        isUpgraded = transaction.isUpgraded
        ownershipType = transaction.ownershipType
        appAccountToken = transaction.appAccountToken?.text
        subscriptionGroupID = transaction.subscriptionGroupID
        signedDate = transaction.signedDate
        owner = record.owner.text
        creditedTo = record.creditedTo.text
        terms = record.terms.map { .product($0) }
        if let details = transaction.details { add(details) }
    }

    /// Whether the store gave money back, and not only ended Family Sharing.
    var isRefunded: Bool { revocationDate != nil && ownershipType.isRefunded(byRevocationOf: revocationType) }

    private mutating func add(_ details: PurchaseDetails) {
        price = details.price
        currency = details.currency
        storefront = details.storefront
        storefrontID = details.storefrontID
        offer = details.offer.map(PurchaseOfferBody.init)
        isTrial = details.isTrial
        isIntroductoryPeriod = details.isIntroductoryPeriod
        transactionReason = details.reason
        additionalTransactionReason = details.additionalReason
        revokedSeatQuantity = details.seats?.revoked
        billingPlanType = details.billingPlan
        commitmentInfo = details.commitment.map { SubscriptionBody.Commitment($0) }
        webOrderLineItemID = details.webOrderLineItemID
        appTransactionID = details.appTransactionID
        appVersion = details.appVersion
        originalAppVersion = details.originalAppVersion
        orderID = details.orderID
    }
}

/// The terms of a purchase: those of the ledger, or, in the answer of a distant server, their JSON.
enum TermsBody: Codable {
    case product(Product)
    case json(JSONValue)

    init(from decoder: any Decoder) throws { self = .json(try JSONValue(from: decoder)) }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .product(let product): try product.encode(to: encoder)
        case .json(let json): try json.encode(to: encoder)
        }
    }
}

struct PurchaseOfferBody: Codable {
    var type: Int?
    var id: String?
    var discountType: String?
    var period: String?

    init(_ offer: PurchaseOffer) {
        type = offer.type
        id = offer.id
        discountType = offer.discountType
        period = offer.period
    }
}
