/// The ID that a store gives a transaction. Apple's are decimal digits of up to 64 bits, stored as a string.
///
/// No ID of another store may ever consist of digits only, so that no two stores give two purchases the same ID.
public struct TransactionID: Identifier {
    public let text: String

    public init(stored text: String) { self.text = text }

    public static func == (first: Self, second: Self) -> Bool { first.text == second.text }

    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
