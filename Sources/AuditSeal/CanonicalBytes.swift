import Foundation

/// An injective encoding of a sequence of fields: different fields never give the same bytes.
///
/// Each is a netstring: its length in decimal digits, `:`, its bytes, `,`. A field that is absent is `-`, which begins
/// no netstring. The first field names the purpose of the bytes (domain separation).
struct CanonicalBytes {
    /// The initial capacity, more than a row without its content has: most grow once at most.
    private static let usualSize = 512

    private(set) var bytes: [UInt8] = []

    init(for purpose: String) {
        bytes.reserveCapacity(Self.usualSize)
        add(purpose)
    }

    mutating func add(_ field: Data?) {
        guard let field else { return bytes.append(UInt8(ascii: "-")) }
        field.withUnsafeBytes { add($0, count: $0.count) }
    }

    /// Adds a string, in UTF-8.
    mutating func add(_ text: String?) {
        guard let text else { return bytes.append(UInt8(ascii: "-")) }
        add(text.utf8, count: text.utf8.count)
    }

    /// Adds a number, in decimal digits.
    mutating func add(_ number: Int) { add(String(number)) }

    private mutating func add(_ field: some Sequence<UInt8>, count: Int) {
        bytes.append(contentsOf: String(count).utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: field)
        bytes.append(UInt8(ascii: ","))
    }
}
