import Foundation

/// An injective encoding of a sequence of fields: different fields never give the same bytes.
///
/// Each is a netstring: its length in decimal digits, `:`, its bytes, `,`. A field that is absent is `-`, which begins
/// no netstring. The first field names the purpose of the bytes (domain separation).
struct CanonicalBytes {
    private(set) var data = Data()

    init(for purpose: String) { add(purpose) }

    mutating func add(_ bytes: Data?) {
        guard let bytes else { return data.append(contentsOf: "-".utf8) }
        data.append(contentsOf: "\(bytes.count):".utf8)
        data.append(bytes)
        data.append(contentsOf: ",".utf8)
    }

    /// In UTF-8.
    mutating func add(_ text: String?) { add(text.map { Data($0.utf8) }) }

    /// In decimal digits.
    mutating func add(_ number: Int) { add(String(number)) }
}
