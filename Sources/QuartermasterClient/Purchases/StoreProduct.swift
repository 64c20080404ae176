/// A product as the store shows it to this customer.
public struct StoreProduct: Sendable, Equatable, Identifiable {
    public var id: String
    /// The type, or `nil` if the store has one that this library does not know.
    public var type: ProductType?
    /// The name in the player's language.
    public var displayName: String
    /// The description in the player's language.
    public var description: String
    /// The price in the currency of the player's storefront.
    public var displayPrice: String

    public init(id: String, type: ProductType?, displayName: String, description: String, displayPrice: String) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.description = description
        self.displayPrice = displayPrice
    }
}
