public import Foundation

/// The account's right to a product, as the server states it.
public struct Entitlement: Sendable, Equatable, Decodable {
    /// The app's bundle ID.
    public var app: String
    /// The product ID.
    public var product: String
    /// The type, as the server's catalog has it.
    public var type: ProductType
    /// The product's group in the server's catalog.
    public var group: String?
    /// The rank in the group, 1 being the highest.
    public var level: Int?
    /// The environment in which it was bought.
    public var environment: StoreEnvironment
    /// Whether it gives access, when the server answered. ``ShopState/hasAccess(to:)`` regards ``until`` as well.
    public var access: Access
    /// When access ends. `nil` if it does not end.
    public var until: Date?
    /// Until when the server's word about access that ends counts without asking it again. `nil` if it has not signed
    /// it.
    public internal(set) var freshUntil: Date?
    /// Why access is denied.
    public var reason: DenialReason?
    /// The bundles that the product includes.
    public var bundles: [String]
    /// Whether versions of the bundles stay readable although access is denied.
    public var keeps: Bool
    /// When it was bought, or the subscription last renewed.
    public var purchasedAt: Date?
    /// `PURCHASED`, `FAMILY_SHARED` or another.
    public var ownershipType: String?
    /// Why the account has it: `purchase`, `administrator`, or another.
    public var basis: String?
    /// The state of an auto-renewable subscription, to be shown.
    public var subscription: SubscriptionDetails?
    /// The times of a non-renewing subscription, the newest last.
    public var runs: [Run]

    /// A time of a non-renewing subscription, without a gap in it.
    public struct Run: Sendable, Equatable, Decodable {
        /// The first moment of it.
        public var from: Date
        /// The first moment after it.
        public var until: Date

        public init(from: Date, until: Date) {
            self.from = from
            self.until = until
        }

        private enum CodingKeys: String, CodingKey {
            case from
            case until
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard let from = container.lenientTime(.from), let until = container.lenientTime(.until) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .from, in: container, debugDescription: "A run needs two times.")
            }
            self.from = from
            self.until = until
        }
    }

    private enum CodingKeys: String, CodingKey {
        case app
        case product
        case type
        case group
        case level
        case environment
        case access
        case until
        case reason
        case bundles
        case keeps
        case purchasedAt
        case ownershipType
        case basis
        case subscription
        case runs
    }

    /// Access to a product, for previews and tests; other members can be set afterwards.
    public init(
        product: String, type: ProductType, access: Access = .granted, until: Date? = nil, bundles: [String] = [],
        app: String = "", environment: StoreEnvironment = .production
    ) {
        self.app = app
        self.product = product
        self.type = type
        self.environment = environment
        self.access = access
        self.until = until
        self.bundles = bundles
        keeps = false
        runs = []
    }

    /// - Throws: if a member that decides about access is missing or has another form. That includes an `until` that
    ///   cannot be read, since without it access would not end.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        app = try container.decode(String.self, forKey: .app)
        product = try container.decode(String.self, forKey: .product)
        type = try container.decode(ProductType.self, forKey: .type)
        environment = try container.decode(StoreEnvironment.self, forKey: .environment)
        access = try container.decode(Access.self, forKey: .access)
        if let text = try container.decodeIfPresent(String.self, forKey: .until) {
            guard let time = WireTime(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .until, in: container, debugDescription: "The end of access is no time.")
            }
            until = time.date
        }
        group = container.lenient(String.self, .group)
        level = container.lenient(Int.self, .level)
        reason = container.lenient(DenialReason.self, .reason)
        bundles = container.lenient(elements: String.self, .bundles) ?? []
        keeps = container.lenient(Bool.self, .keeps) ?? false
        purchasedAt = container.lenientTime(.purchasedAt)
        ownershipType = container.lenient(String.self, .ownershipType)
        basis = container.lenient(String.self, .basis)
        subscription = container.lenient(SubscriptionDetails.self, .subscription)
        runs = container.lenient(elements: Run.self, .runs) ?? []
    }
}

extension Entitlement {
    /// Whether it gives access at a time.
    public func hasAccess(at time: Date) -> Bool { access == .granted && end.map { time < $0 } ?? true }

    /// When access ends unless the server says otherwise until then. `nil` if it does not end.
    var end: Date? { until.map { min($0, freshUntil ?? $0) } }
}

extension [Entitlement] {
    func haveAccess(to product: String, at time: Date) -> Bool {
        contains { $0.product == product && $0.hasAccess(at: time) }
    }

    /// - Parameter level: the lowest rank that counts, 1 being the highest; `nil` for all.
    func haveAccess(toGroup group: String, level: Int?, at time: Date) -> Bool {
        contains { entitlement in
            entitlement.group == group && entitlement.hasAccess(at: time)
                && level.map { (entitlement.level ?? 1) <= $0 } ?? true
        }
    }
}
