/// A way for the player to get a purchase that another account owns. Treat one you do not know as ``support``.
public struct Remedy: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An administrator decided whose it is.
    public static let support = Self(rawValue: "support")
    /// The other account's recovery code.
    public static let recoveryCode = Self(rawValue: "recoveryCode")
    /// Request a new receipt from StoreKit, with a restore.
    public static let freshReceipt = Self(rawValue: "freshReceipt")
    /// Send `deviceVerificationID` along; ``Quartermaster/restore()`` does.
    public static let deviceVerificationID = Self(rawValue: "deviceVerificationID")
    /// Send `deviceIdentifier` along.
    public static let deviceIdentifier = Self(rawValue: "deviceIdentifier")
    /// A restore that the player asks for.
    public static let transfer = Self(rawValue: "transfer")
}
