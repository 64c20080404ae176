/// What kind of product something is. An open set: a plugin adds its own.
///
/// The standard four are those of App Store Connect.
public struct ProductType: RawRepresentable, Hashable, Codable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let consumable = Self(rawValue: "consumable")
    public static let nonConsumable = Self(rawValue: "non-consumable")
    public static let nonRenewing = Self(rawValue: "non-renewing")
    public static let autoRenewable = Self(rawValue: "auto-renewable")

    /// The types that the App Store itself distinguishes.
    public static let standard: Set<ProductType> = [.consumable, .nonConsumable, .nonRenewing, .autoRenewable]

    /// Whether a product of this type may be delivered for the transaction: its ``Transaction/provenType`` is the same.
    ///
    /// A plugin's own type stands for whatever the store calls it, subscriptions too; a transaction whose evidence
    /// proves no type fits any.
    public func fits(_ transaction: Transaction) -> Bool {
        guard let storeType = transaction.provenType, Self.standard.contains(self), Self.standard.contains(storeType)
        else { return true }
        return storeType == self
    }
}
