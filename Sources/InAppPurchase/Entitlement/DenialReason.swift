/// Why access is denied. An open set: a plugin adds its own.
public struct DenialReason: RawRepresentable, Hashable, Codable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The paid time is over.
    public static let expired = Self(rawValue: "expired")
    /// Refunded, or Family Sharing ended.
    public static let revoked = Self(rawValue: "revoked")
    /// Another product of the subscription group took its place.
    public static let upgraded = Self(rawValue: "upgraded")
    /// Billing failed, the store still tries, and there is no grace period.
    public static let billingRetry = Self(rawValue: "billingRetry")
    /// A consumable gives credits, not access.
    public static let consumed = Self(rawValue: "consumed")
    /// Bought with test money, and the app's sandbox setting does not let this account in.
    public static let sandbox = Self(rawValue: "sandbox")
    /// The catalog has no such product (yet).
    public static let unknownProduct = Self(rawValue: "unknownProduct")
    /// The store's type is not the catalog's.
    public static let typeMismatch = Self(rawValue: "typeMismatch")
    /// Neither bought nor shared by the family: it earns no credits, and there is nothing else in it. Kept by the app,
    /// since nothing was given for it.
    public static let ownershipType = Self(rawValue: "ownershipType")
    public static let ownedByAnotherAccount = Self(rawValue: "ownedByAnotherAccount")
    /// Another account of the same player has it now.
    public static let transferred = Self(rawValue: "transferred")

    /// Whether nothing more will ever come of a transaction denied for this reason, so that the app should finish it.
    public var isFinal: Bool { Self.final.contains(self) }

    private static let final: Set<DenialReason> = [
        .expired, .revoked, .upgraded, .billingRetry, .consumed, .transferred,
    ]
}
