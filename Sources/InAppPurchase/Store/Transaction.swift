public import Foundation

/// One verified fact from the store: somebody bought, renewed or restored a product.
///
/// Names are those of StoreKit's `Transaction`. Several copies of one transaction may be seen, signed at different
/// times; ``merge(_:)`` makes one of them.
public struct Transaction: Hashable, Codable, Sendable {
    /// The key that makes a transaction happen once.
    public struct Key: Hashable, Codable, Sendable {
        public var app: BundleID
        public var environment: Environment
        public var id: TransactionID

        public init(app: BundleID, environment: Environment, id: TransactionID) {
            self.app = app
            self.environment = environment
            self.id = id
        }
    }

    /// How the customer came to it (`inAppOwnershipType`). An open set: Apple adds to it.
    ///
    /// Each gives access as a purchase does; credits are earned by what was ``purchased`` alone.
    public struct OwnershipType: RawRepresentable, Hashable, Codable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let purchased = Self(rawValue: "PURCHASED")
        public static let familyShared = Self(rawValue: "FAMILY_SHARED")
        /// Given by an organisation (App Store Server API 1.22).
        public static let assigned = Self(rawValue: "ASSIGNED")
    }

    /// The store took the purchase back: a refund, or the end of Family Sharing.
    public struct Revocation: Hashable, Codable, Sendable {
        public var date: Date
        /// 1: an issue with the app; 0: anything else.
        public var reason: Int?
        /// How much of the price was refunded (`revocationPercentage`), in thousandths of a percent; nil: all of it.
        public var percentage: Int?

        public init(date: Date, reason: Int? = nil, percentage: Int? = nil) {
            self.date = date
            self.reason = reason
            self.percentage = percentage
        }

        /// What the refund takes of the purchase.
        public var share: RefundShare { RefundShare(percentage: percentage) }
    }

    public var id: TransactionID
    /// Equal to ``id`` for a first purchase; the key of the ``Line``.
    public var originalID: TransactionID
    public var app: BundleID
    public var environment: Environment
    public var productID: ProductID
    /// The store's word for the product's type. App receipts do not have it.
    public var productType: ProductType?
    /// How many were bought at once; 1 or more.
    public var quantity: Int
    public var purchaseDate: Date
    public var originalPurchaseDate: Date?
    /// The end of the paid period. Only for auto-renewable subscriptions.
    public var expirationDate: Date?
    /// Known until a later copy says otherwise; see ``merge(_:)``.
    public var revocation: Revocation?
    /// An upgrade replaced it. Never undone.
    public var isUpgraded: Bool
    public var ownershipType: OwnershipType
    /// What the app passed at purchase; names an account where it is one of this server's.
    public var appAccountToken: UUID?
    public var subscriptionGroupID: String?
    /// When the store said all this: `signedDate`, for app receipts the creation date.
    public var signedDate: Date
    /// Whether the store signed this very copy. What an unsigned copy leaves out says nothing.
    public var isSigned: Bool
    /// When each optional member was last stated; a member without an entry was stated at ``signedDate``.
    var statedDates: [String: Date] = [:]

    public init(
        id: TransactionID, originalID: TransactionID, app: BundleID, environment: Environment, productID: ProductID,
        productType: ProductType? = nil, quantity: Int = 1, purchaseDate: Date, originalPurchaseDate: Date? = nil,
        expirationDate: Date? = nil, revocation: Revocation? = nil, isUpgraded: Bool = false,
        ownershipType: OwnershipType = .purchased, appAccountToken: UUID? = nil, subscriptionGroupID: String? = nil,
        signedDate: Date, isSigned: Bool
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
        self.signedDate = signedDate
        self.isSigned = isSigned
    }

    /// The type that the evidence proves: the one the App Store names, else auto-renewable where there is an expiry date,
    /// which no purchase of another type has; nil where nothing tells.
    ///
    /// App receipts and answers of verifyReceipt name no type.
    public var provenType: ProductType? { productType ?? (expirationDate == nil ? nil : .autoRenewable) }

    public var key: Key { Key(app: app, environment: environment, id: id) }

    /// What all copies of a purchase share: outside subscriptions the store gives each restored copy an ID of its own.
    var purchaseID: TransactionID { expirationDate == nil ? originalID : id }

    /// The token that may name the owner: what the family shares has none of its own.
    var ownerToken: UUID? { ownershipType == .familyShared ? nil : appAccountToken }

    public var originalTransactionKey: OriginalTransaction.Key {
        OriginalTransaction.Key(app: app, environment: environment, originalID: originalID)
    }
}
