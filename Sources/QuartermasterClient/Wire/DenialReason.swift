/// Why the server gives nothing for a purchase, or no access: by the tables in docs/app/errors.md. Expect others, those
/// of the server's plugins among them.
public struct DenialReason: RawRepresentable, Hashable, Sendable, Decodable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }

    /// The paid period is over.
    public static let expired: Self = "expired"
    /// It was refunded, or Family Sharing ended.
    public static let revoked: Self = "revoked"
    /// Another product of the group replaced it.
    public static let upgraded: Self = "upgraded"
    /// It is paid for ahead, and begins later.
    public static let notStarted: Self = "notStarted"
    /// The card cannot be charged, and there is no grace period: send the player to their payment settings.
    public static let billingRetry: Self = "billingRetry"
    /// A consumable, whose credits were given.
    public static let consumed: Self = "consumed"
    /// The account had it, and another has it now.
    public static let transferred: Self = "transferred"
    /// It belongs to another account. The remedy beside it says what can be done.
    public static let ownedByAnotherAccount: Self = "ownedByAnotherAccount"
    /// A purchase of the sandbox, which the app's settings do not allow.
    public static let sandbox: Self = "sandbox"
    /// The server's catalog does not have the product yet.
    public static let unknownProduct: Self = "unknownProduct"
    /// The store's type of the product is not the catalog's.
    public static let typeMismatch: Self = "typeMismatch"
    /// It was neither bought by the customer nor shared by the family.
    public static let ownershipType: Self = "ownershipType"
    /// The account never had what would give access.
    public static let notPurchased: Self = "notPurchased"
    /// The receipt is too large for the server.
    public static let receiptTooLarge: Self = "receipt_too_large"
}
