/// A product of the server's list, with what the store says about it.
public struct ShopProduct: Sendable, Equatable, Identifiable {
    public var id: String
    public var type: ProductType
    /// The name in the player's language; the ID while the store has not told one.
    public var displayName: String
    public var description: String
    /// The price in the player's currency. `nil` if the store does not know the product now.
    public var displayPrice: String?
    /// The bundles that it gives access to.
    public var bundles: [String]
    /// The newest version of each bundle.
    public var contents: [ListedContent]
    /// What the operator wrote into the catalog for the app.
    public var metadata: [String: JSONValue]
    public var state: ProductState
}
