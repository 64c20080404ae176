/// A type of product, as the server's list names it. Unknown ones are kept.
public struct ProductType: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Used up, like credits.
    public static let consumable = Self(rawValue: "consumable")
    /// Bought once, for good.
    public static let nonConsumable = Self(rawValue: "non-consumable")
    /// Access for a time that ends by itself.
    public static let nonRenewing = Self(rawValue: "non-renewing")
    /// Access for a time that the App Store renews.
    public static let autoRenewable = Self(rawValue: "auto-renewable")
}

/// The store does not sell the product to this customer: it does not know it, or not in this storefront.
public struct ProductUnavailable: Error, Sendable, Equatable {
    /// The product's ID.
    public var productID: String

    public init(productID: String) { self.productID = productID }
}
