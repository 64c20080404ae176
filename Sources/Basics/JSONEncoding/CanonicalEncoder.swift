package import Foundation

/// Encodes values as ``Foundation/JSONEncoder/canonical`` does, byte for byte, without its dictionaries and boxes: the
/// API's answers are encoded by it.
package struct CanonicalEncoder: Sendable {
    /// The string for a date; the key is the one under which it is encoded.
    package typealias DateText = @Sendable (Date, _ key: (any CodingKey)?) -> String

    private let text: DateText

    package init(dates text: @escaping DateText) { self.text = text }

    /// - Throws: what the value throws, and `EncodingError` for a number that JSON does not have, and for a value that
    ///   encodes nothing.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = PieceEncoder(text, parent: nil, key: nil)
        guard let piece = try encoder.piece(of: value) else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "nothing was encoded"))
        }
        var json = JSONWriter(capacity: 1_024)
        piece.write(to: &json)
        return json.bytes
    }
}
