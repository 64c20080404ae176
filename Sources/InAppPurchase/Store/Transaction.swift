public import Foundation
import StrictJSON

/// One verified transaction of the App Store: a customer bought, renewed or restored a product.
///
/// The names are those of StoreKit's `Transaction`. Several copies of one transaction may be seen, signed at different
/// times; ``merge(_:)`` combines them.
public struct Transaction: Hashable, Codable, Sendable {
    /// The unique key of a transaction, which makes recording it idempotent.
    public struct Key: Hashable, Codable, Sendable {
        /// The app's bundle ID: transaction IDs are compared within an app and environment.
        public var app: BundleID
        /// The environment that the ID belongs to.
        public var environment: Environment
        /// Apple's `transactionId`.
        public var id: TransactionID

        public init(app: BundleID, environment: Environment, id: TransactionID) {
            self.app = app
            self.environment = environment
            self.id = id
        }

        /// Hashes the ID alone: few keys with the same ID differ otherwise.
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// How the customer came to own the product (`inAppOwnershipType`). An open set: Apple adds to it.
    ///
    /// Each type gives access as a purchase does; only ``purchased`` earns credits.
    public struct OwnershipType: RawRepresentable, Hashable, Codable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer bought the product.
        public static let purchased = Self(rawValue: "PURCHASED")
        /// A family member bought the product and shares it (Family Sharing).
        public static let familyShared = Self(rawValue: "FAMILY_SHARED")
        /// An organisation assigned the product to the customer (App Store Server API 1.22).
        public static let assigned = Self(rawValue: "ASSIGNED")
    }

    /// A revocation by the App Store: a refund, or the end of Family Sharing.
    public struct Revocation: Hashable, Codable, Sendable {
        /// Apple's `revocationDate`.
        public var date: Date
        /// Apple's `revocationReason`: 1 for an issue with the app, 0 for any other; `nil` if none is stated.
        public var reason: Int?
        /// The refunded share of the price (`revocationPercentage`), in thousandths of a percent; `nil` for the whole
        /// price.
        public var percentage: Int?

        public init(date: Date, reason: Int? = nil, percentage: Int? = nil) {
            self.date = date
            self.reason = reason
            self.percentage = percentage
        }

        /// The share of the purchase that the refund takes back.
        public var share: RefundShare { RefundShare(percentage: percentage) }
    }

    /// Apple's `transactionId`; decimal digits.
    public var id: TransactionID
    /// Apple's `originalTransactionId`: equal to ``id`` for a first purchase, and the ID of the
    /// ``OriginalTransaction``.
    public var originalID: TransactionID
    /// Apple's `bundleId`.
    public var app: BundleID
    /// The environment of the purchase.
    public var environment: Environment
    /// The product's ID in App Store Connect (`productId`).
    public var productID: ProductID
    /// The product's type as the App Store states it; `nil` if it states none, as in app receipts, or an unknown one.
    public var productType: ProductType?
    /// The number of units bought at once, of a subscription its seats; 1 or more.
    public var quantity: Int
    /// The date of the purchase, or of the renewal that this transaction is.
    public var purchaseDate: Date
    /// The date of the original transaction; `nil` if the evidence does not state it.
    public var originalPurchaseDate: Date?
    /// The end of the paid period; `nil` unless the product is an auto-renewable subscription.
    public var expirationDate: Date?
    /// The revocation, if there is one; it stands until a later copy says otherwise, see ``merge(_:)``.
    public var revocation: Revocation?
    /// Whether an upgrade replaced the transaction (`isUpgraded`). Never undone.
    public var isUpgraded: Bool
    /// How the customer owns it (`inAppOwnershipType`).
    public var ownershipType: OwnershipType
    /// The UUID that the app passed to StoreKit at the purchase; it names an account if this server has one with that
    /// ID.
    public var appAccountToken: UUID?
    /// The subscription group (`subscriptionGroupIdentifier`); `nil` for other products, and if it was not stated.
    public var subscriptionGroupID: String?
    /// The price, the offer and what else was settled with the purchase; `nil` if no copy states any of it.
    public var details: PurchaseDetails? {
        get { boxedDetails?.value }
        set { boxedDetails = newValue.map { Boxed($0) } }
    }
    /// A transaction is copied dozens of times while a receipt is recorded, its fourteen details are read once.
    private var boxedDetails: Boxed<PurchaseDetails>?
    /// The date of this statement: `signedDate` of a JWS, the creation date of an app receipt.
    public var signedDate: Date
    /// Whether the App Store signed this very copy. The absence of a member in an unsigned copy states nothing.
    public var isSigned: Bool
    /// The date when each optional member was last stated; a member without an entry was stated at ``signedDate``.
    var statedDates: [String: Date] = [:]

    private enum CodingKeys: String, CodingKey {
        case id, originalID, app, environment, productID, productType, quantity, purchaseDate, originalPurchaseDate
        case expirationDate, revocation, isUpgraded, ownershipType, appAccountToken, subscriptionGroupID
        case boxedDetails = "details"
        case signedDate, isSigned, statedDates
    }

    /// A copy of a transaction that states these members, all of them on its ``signedDate``.
    public init(
        id: TransactionID, originalID: TransactionID, app: BundleID, environment: Environment, productID: ProductID,
        productType: ProductType? = nil, quantity: Int = 1, purchaseDate: Date, originalPurchaseDate: Date? = nil,
        expirationDate: Date? = nil, revocation: Revocation? = nil, isUpgraded: Bool = false,
        ownershipType: OwnershipType = .purchased, appAccountToken: UUID? = nil, subscriptionGroupID: String? = nil,
        details: PurchaseDetails? = nil, signedDate: Date, isSigned: Bool
    ) {
        self.id = id
        self.originalID = originalID
        self.app = app
        self.environment = environment
        self.productID = productID
        self.productType = productType
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expirationDate = expirationDate
        self.revocation = revocation
        self.isUpgraded = isUpgraded
        self.ownershipType = ownershipType
        self.appAccountToken = appAccountToken
        self.subscriptionGroupID = subscriptionGroupID
        boxedDetails = details.map { Boxed($0) }
        self.signedDate = signedDate
        self.isSigned = isSigned
    }

    /// The type that the evidence proves: the one the App Store names, otherwise auto-renewable if there is an expiry
    /// date, which no purchase of another type has; `nil` if nothing tells.
    ///
    /// App receipts and responses of verifyReceipt name no type.
    public var provenType: ProductType? { productType ?? (expirationDate == nil ? nil : .autoRenewable) }

    /// Why the transaction is revoked, as far as any copy tells; `nil` if it is not revoked.
    public var revocationDetails: RevocationDetails? {
        guard let revocation else { return nil }
        var known = RevocationDetails(date: revocation.date, reason: revocation.reason)
        if let stated = details?.revocation, stated.date == revocation.date { known.fill(from: stated) }
        return known
    }

    /// The number of units that earn credits: of a subscription one, however many seats it has.
    public var units: Int { provenType == .autoRenewable ? 1 : quantity }

    /// The unique key of the transaction.
    public var key: Key { Key(app: app, environment: environment, id: id) }

    /// The key of the purchase with a name that it is a copy of.
    package func key(ofPurchase name: TransactionID) -> Key { Key(app: app, environment: environment, id: name) }

    /// The usual name of the purchase that it is a copy of: outside subscriptions the original's ID.
    package var purchaseID: TransactionID { expirationDate == nil ? originalID : id }

    /// The account token that may name the owner; `nil` for family-shared purchases, whose token is not the customer's
    /// own.
    package var ownerToken: AccountID? { ownershipType == .familyShared ? nil : appAccountToken.map { AccountID($0) } }

    /// The difference that this machine's clock and the App Store's may have, in seconds.
    package static let clockLeeway: TimeInterval = 60

    /// The key of the original transaction that this one belongs to.
    public var originalTransactionKey: OriginalTransaction.Key {
        OriginalTransaction.Key(app: app, environment: environment, originalID: originalID)
    }
}
