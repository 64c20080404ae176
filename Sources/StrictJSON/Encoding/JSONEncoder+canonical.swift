package import Foundation

extension JSONEncoder {
    /// A new encoder whose output is the same for equal values, so that it can be hashed, signed and compared: members
    /// are sorted by name, and slashes are not escaped.
    ///
    /// For strings, whole numbers below 2⁵³, lists, and objects whose members' names are ASCII, it is canonical JSON
    /// (RFC 8785).
    package static var canonical: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
