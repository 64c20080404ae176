/// The type of a product. An open set: a plugin adds its own.
///
/// The four standard types are those of App Store Connect.
public struct ProductType: RawRepresentable, Hashable, Codable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Used up and bought again; `consumable` in `products.json`.
    public static let consumable = Self(rawValue: "consumable")
    /// Bought once and kept; `non-consumable` in `products.json`.
    public static let nonConsumable = Self(rawValue: "non-consumable")
    /// Access for a time, without renewal by the App Store; `non-renewing` in `products.json`.
    public static let nonRenewing = Self(rawValue: "non-renewing")
    /// Renewed by the App Store; `auto-renewable` in `products.json`.
    public static let autoRenewable = Self(rawValue: "auto-renewable")

    /// The types that the App Store itself distinguishes.
    public static let standard: Set<ProductType> = [.consumable, .nonConsumable, .nonRenewing, .autoRenewable]

    /// Whether a product of this type may be delivered for the transaction: its ``Transaction/provenType`` is the same.
    ///
    /// A plugin's own type fits any type of the App Store, subscriptions too; a transaction whose evidence proves no
    /// type fits any product type.
    public func fits(_ transaction: Transaction) -> Bool { fits(provenType: transaction.provenType) }

    /// - Parameter storeType: the ``Transaction/provenType`` of a transaction.
    package func fits(provenType storeType: ProductType?) -> Bool {
        guard let storeType, Self.standard.contains(self), Self.standard.contains(storeType) else { return true }
        return storeType == self
    }
}
