public import Foundation

/// A player's account on this server; the app passes its UUID to StoreKit as `appAccountToken`.
public struct AccountID: Hashable, Comparable, Codable, CustomStringConvertible, Sendable {
    /// The UUID, which StoreKit and the ledger know.
    public let uuid: UUID

    /// The account whose token in StoreKit is this UUID.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// The account with this UUID; `nil` unless the string is a UUID, in either case.
    public init?(text: String) {
        guard let uuid = UUID(text: text) else { return nil }
        self.uuid = uuid
    }

    /// The UUID in lower case.
    public var text: String { uuid.text }

    /// The UUID in lower case.
    public var description: String { uuid.text }

    public static func == (first: Self, second: Self) -> Bool { first.uuid == second.uuid }

    public func hash(into hasher: inout Hasher) { uuid.hash(into: &hasher) }

    /// Whether the first UUID comes before the second, byte for byte.
    public static func < (first: Self, second: Self) -> Bool { first.uuid < second.uuid }

    /// Decodes a UUID string, in either case.
    public init(from decoder: any Decoder) throws { uuid = try decoder.singleValueContainer().decode(UUID.self) }

    /// Encodes as `UUID` does: in upper case.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uuid)
    }
}
