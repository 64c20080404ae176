import Foundation

/// JSON of which there is one form only (RFC 8785), where it has text, whole numbers below 2⁵³, lists and objects whose
/// members' names are ASCII.
enum CanonicalJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
