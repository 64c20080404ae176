public import Foundation

/// A product of the server's list, with what the store says about it.
public struct ShopProduct: Sendable, Equatable, Identifiable {
    public var id: String
    /// The type, as the server's catalog has it.
    public var type: ProductType
    /// The names in the server's catalog, by language tag. ``displayName`` is the store's.
    public var names: [String: String] = [:]
    /// The group in the server's catalog, for ``ShopState/hasAccess(toGroup:level:)``.
    public var group: String?
    /// The rank in the group, 1 being the highest.
    public var level: Int?
    /// The store's word: the price, the terms of a subscription, the introductory offer. `nil` if it does not know the
    /// product now.
    public var store: SourceProduct?
    /// The bundles that it gives access to.
    public var bundles: [String]
    /// The newest version of each bundle.
    public var contents: [ListedContent]
    /// The catalog entry's `metadata`, which the operator wrote for the app.
    public var metadata: [String: JSONValue]
    /// Whether it can be bought, or is there already.
    public var state: ProductState

    /// The name in the player's language; the ID until the store states a name.
    public var displayName: String { store?.displayName ?? id }
    /// The description in the player's language, or empty.
    public var description: String { store?.description ?? "" }
    /// The price in the player's currency. `nil` if the store does not know the product now.
    public var displayPrice: String? { store?.displayPrice }

    public init(
        id: String, type: ProductType, group: String? = nil, level: Int? = nil, store: SourceProduct? = nil,
        bundles: [String] = [], contents: [ListedContent] = [], metadata: [String: JSONValue] = [:],
        state: ProductState = .available
    ) {
        self.id = id
        self.type = type
        self.group = group
        self.level = level
        self.store = store
        self.bundles = bundles
        self.contents = contents
        self.metadata = metadata
        self.state = state
    }
}

/// The state of a product that a shop shows beside it.
public enum ProductState: Sendable, Equatable {
    /// It can be bought.
    case available
    /// The store does not sell it now.
    case unavailable(UnavailableReason)
    /// The store is selling it.
    case buying
    /// Somebody has to approve the purchase (Ask to Buy). It can be asked for again.
    case pending
    /// Paid, and not delivered yet.
    case waiting
    /// The account has access, for good if there is no `until`.
    case owned(until: Date?)
}

/// Why a product of the server's list cannot be bought. Expect others.
public struct UnavailableReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The store was not asked yet.
    public static let notAsked = Self(rawValue: "notAsked")
    /// The store did not answer: there is no network, or nobody is signed in to the App Store.
    public static let storeNotReached = Self(rawValue: "storeNotReached")
    /// The store answered, and does not know it: a misspelt ID, a product that is not sold in the storefront, or an
    /// agreement that waits in App Store Connect.
    public static let unknownToStore = Self(rawValue: "unknownToStore")
}
