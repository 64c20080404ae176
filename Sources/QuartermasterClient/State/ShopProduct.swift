public import Foundation

/// A product of the server's list, with what the store says about it.
public struct ShopProduct: Sendable, Equatable, Identifiable {
    public var id: String
    /// The type, as the server's catalog has it.
    public var type: ProductType
    /// The name in the player's language; the ID until the store states a name.
    public var displayName: String
    /// The description in the player's language, or empty.
    public var description: String
    /// The price in the player's currency. `nil` if the store does not know the product now.
    public var displayPrice: String?
    /// The bundles that it gives access to.
    public var bundles: [String]
    /// The newest version of each bundle.
    public var contents: [ListedContent]
    /// The catalog entry's `metadata`, which the operator wrote for the app.
    public var metadata: [String: JSONValue]
    /// Whether it can be bought, or is there already.
    public var state: ProductState
}

/// The state of a product that a shop shows beside it.
public enum ProductState: Sendable, Equatable {
    /// It can be bought.
    case available
    /// The store does not know it now, or has not been asked yet.
    case unavailable
    /// The store is selling it.
    case buying
    /// Somebody has to approve the purchase (Ask to Buy). It can be asked for again.
    case pending
    /// Paid, and not delivered yet.
    case waiting
    /// The account has access, for good if there is no `until`.
    case owned(until: Date?)
}
