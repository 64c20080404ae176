import Foundation

/// Canonical JSON (RFC 8785), for values of text, whole numbers below 2⁵³, lists, and objects whose members' names are
/// ASCII.
enum CanonicalJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
