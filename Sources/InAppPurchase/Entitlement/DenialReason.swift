/// A reason why access is denied. An open set: a plugin adds its own.
public struct DenialReason: RawRepresentable, Hashable, Codable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The paid time has ended.
    public static let expired = Self(rawValue: "expired")
    /// The purchase was refunded, or Family Sharing ended.
    public static let revoked = Self(rawValue: "revoked")
    /// Another product of the subscription group replaced it.
    public static let upgraded = Self(rawValue: "upgraded")
    /// The period was paid for ahead and begins later, with another product than the one that gives access now.
    public static let notStarted = Self(rawValue: "notStarted")
    /// Billing failed, the App Store still tries to charge the customer, and there is no grace period.
    public static let billingRetry = Self(rawValue: "billingRetry")
    /// The product is a consumable that gives credits but no access.
    public static let consumed = Self(rawValue: "consumed")
    /// The purchase is from the sandbox, and the app's sandbox setting does not admit this account.
    public static let sandbox = Self(rawValue: "sandbox")
    /// The catalog has no such product (yet).
    public static let unknownProduct = Self(rawValue: "unknownProduct")
    /// The App Store's product type differs from the catalog's.
    public static let typeMismatch = Self(rawValue: "typeMismatch")
    /// The purchase is neither bought nor family-shared, so it earns no credits, and it gives nothing else. The app
    /// does not finish it, since nothing was given for it.
    public static let ownershipType = Self(rawValue: "ownershipType")
    /// The original transaction belongs to another account.
    public static let ownedByAnotherAccount = Self(rawValue: "ownedByAnotherAccount")
    /// The original transaction was transferred to another account of the same player.
    public static let transferred = Self(rawValue: "transferred")

    /// Whether nothing more will ever come of a transaction denied for this reason, so that the app should finish it.
    public var isFinal: Bool { Self.final.contains(self) }

    private static let final: Set<DenialReason> = [
        .expired, .revoked, .upgraded, .notStarted, .billingRetry, .consumed, .transferred,
    ]
}
