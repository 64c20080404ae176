/// The result of a receipt of a restore.
struct RestoredReceipt: Sendable, Decodable {
    /// `verified`, `pending`, `rejected` or `conflict`.
    var status: String
    var reason: String?
    var remedy: Remedy?
    /// Whether what was sent may be finished. If the server does not say so, it may not.
    var finish: Bool

    /// Whether the server judged it, and says so: a rejection, in whatever words, judged nothing.
    var mayFinish: Bool { status == "verified" && finish }

    private enum CodingKeys: String, CodingKey {
        case status
        case reason
        case remedy
        case finish
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = container.lenient(String.self, .status) ?? ""
        reason = container.lenient(String.self, .reason)
        remedy = container.lenient(Remedy.self, .remedy)
        finish = container.lenient(Bool.self, .finish) ?? false
    }
}

/// A way for the player to get a purchase that another account owns. Treat one you do not know as ``support``.
public struct Remedy: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

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
