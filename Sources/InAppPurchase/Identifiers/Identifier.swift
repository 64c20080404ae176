package import Foundation

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

/// The identifier of an app, `CFBundleIdentifier`, compared exactly and with case.
public struct BundleID: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// The name of a bundle, which is its folder in `content/`.
public struct BundleName: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// The name of a unit of credits: `hints`, `coins`.
public struct Currency: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// A error in a string that should be an ``Identifier``.
public enum IdentifierError: Error, Hashable, Sendable {
    /// The string is empty.
    case empty
    /// The string has a control character or a line separator.
    case controlCharacter
}

/// A product's ID in App Store Connect.
public struct ProductID: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// The ID that a store gives a transaction. Apple's are decimal digits of up to 64 bits, stored as a string. Those of
/// Xcode, which start anew with each test, have the original purchase date in whole seconds behind them:
/// `0@1795830960`.
///
/// No ID of another store may ever consist of digits only, so that no two stores give two purchases the same ID.
public struct TransactionID: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    /// - Parameter date: of the original purchase.
    package init(_ id: TransactionID, ofXcodeAt date: Date) { text = "\(id)\(Self.mark)\(date.milliseconds / 1_000)" }

    /// The ID as the store states it.
    package var stated: TransactionID { TransactionID(stored: String(text.prefix { $0 != Self.mark })) }

    private static let mark: Character = "@"

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
