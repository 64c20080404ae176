package import Foundation

/// A text of JSON that was scanned: to the letter of RFC 8259, within ``JSONLimits``, with every value's place.
///
/// One pass whose cost is linear in the size, and which ends at the first mistake; whatever decodes comes after it.
/// Foundation's decoder takes more (bytes that are no UTF-8 where they are not read, and of a member that stands twice
/// the first, where other parsers take the last), and costs the square of the depth. What two parsers read differently
/// says nothing for certain (RFC 7515 §4, RFC 7519 §4: names must be unique).
package struct StrictJSON: Sendable {
    /// One value, or the name of a member. Members are a name and a value each.
    struct Node {
        var start: UInt32
        /// Behind the last byte.
        var end: UInt32
        /// The number of the node behind this one and all that is in it.
        var next: UInt32
        var kind: JSONKind
        /// Of a string, whether it has escapes.
        var hasEscapes = false
    }

    /// The text as it came; indices begin at 0.
    package let bytes: Data
    let nodes: [Node]

    /// Scans a text.
    ///
    /// - Parameter tolerance: what is read besides JSON to the letter.
    /// - Throws: ``JSONError`` for the first one.
    package init(_ text: Data, _ limits: JSONLimits, tolerance: JSONTolerance = []) throws(JSONError) {
        bytes = text.startIndex == 0 ? text : Data(text)
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.notJSON, at: 0) }
        let result = bytes.withUnsafeBytes { raw -> Result<[Node], JSONError> in
            var scan = JSONScan(raw.bindMemory(to: UInt8.self), limits, tolerance)
            do throws(JSONError) {
                try scan.document()
                return .success(scan.nodes)
            } catch {
                return .failure(error)
            }
        }
        nodes = try result.get()
    }

    /// The value that the text is.
    package var root: JSONPart { JSONPart(json: self, index: 0) }

    /// The bytes from `start` to before `end`; as many of them as there are.
    package func text(from start: Int, to end: Int) -> [UInt8] {
        start < end ? Array(bytes[(start..<end).clamped(to: bytes.indices)]) : []
    }

    /// Decodes the text. Costs are linear in its size, apart from what the type itself does.
    ///
    /// - Throws: `DecodingError` with the path to the mistake.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONPartDecoder(root).decode(type)
    }

    /// Decodes the text with what the type needs besides.
    ///
    /// - Throws: `DecodingError` with the path to the mistake.
    package func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type = Value.self, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try Value(from: JSONPartDecoder(root), configuration: configuration)
    }
}
