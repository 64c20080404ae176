/// Whether an entitlement gives access. One you do not know gives none.
public struct Access: RawRepresentable, Hashable, Sendable, Decodable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// It gives access.
    public static let granted = Self(rawValue: "granted")
    /// It gives none.
    public static let denied = Self(rawValue: "denied")
}
