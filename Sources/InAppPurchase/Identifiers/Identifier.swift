/// The name of a thing, as a type of its own: a product ID cannot be passed where a bundle ID is meant.
///
/// An identifier is stored, sealed and sent as a plain string, as a member and as a key of a JSON object.
public protocol Identifier: Hashable, Comparable, Codable, CodingKeyRepresentable, CustomStringConvertible, Sendable {
    /// The identifier as it is stored and sent.
    var text: String { get }

    /// An identifier that a ledger or a catalog in use holds: not checked, so that no stored row becomes unreadable.
    init(stored text: String)
}

extension Identifier {
    /// An identifier from outside.
    ///
    /// - Throws: ``IdentifierError`` if it is empty, or has a control character.
    public init(checking text: String) throws(IdentifierError) {
        guard !text.isEmpty else { throw .empty }
        guard !text.hasControlCharacters else { throw .controlCharacter }
        self.init(stored: text)
    }

    /// Whether the first comes before the second in the order of `String`.
    public static func < (first: Self, second: Self) -> Bool { first.text < second.text }

    /// The identifier as it is stored and sent.
    public var description: String { text }

    /// Decodes the plain string, unchecked: see ``init(stored:)``.
    public init(from decoder: any Decoder) throws {
        self.init(stored: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the plain string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The key of a JSON object; without it a dictionary by identifiers would be encoded as an array.
    public var codingKey: any CodingKey { AnyKey(stringValue: text) }

    /// The identifier that is the key of a JSON object.
    public init?<Key: CodingKey>(codingKey: Key) { self.init(stored: codingKey.stringValue) }
}
