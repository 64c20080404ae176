package import Foundation

/// A scanned JSON text: strictly RFC 8259, within ``JSONLimits``, with the place of every value.
///
/// A single pass at linear cost, which ends at the first error; decoding comes after it. Foundation's decoder accepts
/// more (invalid UTF-8 in values that are not decoded, and repeated names, of which it uses the first and other parsers
/// the last), and its cost is quadratic in the depth. A text that two parsers read differently proves nothing (RFC 7515
/// §4, RFC 7519 §4: names must be unique).
package struct StrictJSON: Sendable {
    /// A value, or the name of a member. Each member is a name and a value.
    struct Node {
        var start: UInt32
        /// The offset after the last byte.
        var end: UInt32
        /// The index of the node after this one and all that is in it.
        var next: UInt32
        var kind: JSONKind
        /// Whether a string has escapes.
        var hasEscapes = false
    }

    /// The text unchanged; indices begin at 0.
    package let bytes: Data
    let nodes: [Node]

    /// Scans a text.
    ///
    /// - Parameter tolerance: the accepted deviations from strict JSON.
    /// - Throws: ``JSONError`` for the first error.
    package init(_ text: Data, _ limits: JSONLimits, tolerance: JSONTolerance = []) throws(JSONError) {
        bytes = text.startIndex == 0 ? text : Data(text)
        guard bytes.count < Int(UInt32.max) else { throw JSONError(.notJSON, at: 0) }
        let result = bytes.withUnsafeBytes { raw -> Result<[Node], JSONError> in
            var scan = JSONScan(raw.bindMemory(to: UInt8.self), limits, tolerance)
            do throws(JSONError) {
                try scan.document()
                return .success(scan.nodes)
            } catch {
                return .failure(error.located(in: raw))
            }
        }
        nodes = try result.get()
    }

    /// The top-level value.
    package var root: JSONPart { JSONPart(json: self, index: 0) }

    /// The bytes from `start` up to and excluding `end`; fewer if the text ends before.
    package func text(from start: Int, to end: Int) -> [UInt8] {
        start < end ? Array(bytes[(start..<end).clamped(to: bytes.indices)]) : []
    }

    /// Decodes the text. The cost is linear in its size, apart from what the type itself does.
    ///
    /// - Throws: `DecodingError` with the path to the error.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONPartDecoder(root).decode(type)
    }

    /// Decodes the text with the type's configuration.
    ///
    /// - Throws: `DecodingError` with the path to the error.
    package func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type = Value.self, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try Value(from: JSONPartDecoder(root), configuration: configuration)
    }
}

/// Deviations from strict RFC 8259 that are accepted.
package struct JSONTolerance: OptionSet, Sendable {
    /// A byte order mark at the beginning, which parsers may ignore (RFC 8259 §8.1).
    package static let byteOrderMark = JSONTolerance(rawValue: 1)
    /// A comma before a closing bracket.
    package static let trailingComma = JSONTolerance(rawValue: 2)
    /// A repeated name in an object; the first one counts.
    package static let repeatedName = JSONTolerance(rawValue: 4)

    /// The tolerance for responses of known services, and for text that earlier versions accepted.
    package static let known: JSONTolerance = [.byteOrderMark, .trailingComma, .repeatedName]

    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
}
