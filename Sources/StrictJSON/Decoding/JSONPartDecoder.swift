import Foundation

/// Decodes from a scanned text. Unlike Foundation's decoder, its cost does not depend on the depth of a value, and an
/// error about a number that does not fit has its path.
package struct JSONPartDecoder: Decoder {
    package let part: JSONPart
    let path: JSONPath?
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package init(_ part: JSONPart) { self.init(part, nil) }

    init(_ part: JSONPart, _ path: JSONPath?) {
        self.part = part
        self.path = path
    }

    package var codingPath: [any CodingKey] { path?.keys ?? [] }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard part.kind == .object else { throw mismatch([String: Any].self, "an object") }
        return KeyedDecodingContainer(JSONObjectContainer(self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard part.kind == .array else { throw mismatch([Any].self, "an array") }
        return JSONArrayContainer(self)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: - Mistakes

    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        let words = "Expected \(expected) but found \(part.kind.words) instead."
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: words)
        return part.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func corrupted(_ words: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: words))
    }
}

extension JSONPartDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { part.kind == .null }

    package func decode(_ type: Bool.Type) throws -> Bool {
        guard let value = part.bool else { throw mismatch(type, "true or false") }
        return value
    }

    package func decode(_ type: String.Type) throws -> String {
        guard part.kind == .string else { throw mismatch(type, "a string") }
        guard let value = part.string else { throw corrupted("half of a surrogate pair") }
        return value
    }

    package func decode(_ type: Double.Type) throws -> Double {
        guard part.kind == .number else { throw mismatch(type, "a number") }
        guard let value = part.double else { throw corrupted("a number that is too large") }
        return value
    }

    package func decode(_ type: Float.Type) throws -> Float {
        let value = Float(try decode(Double.self))
        guard value.isFinite else { throw corrupted("a number that is too large") }
        return value
    }

    package func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    package func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    package func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    package func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    package func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    package func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    package func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    package func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    package func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    package func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    /// `Data` is base64 and `URL` is a string, as in Foundation's decoder.
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Data.self, let data = try base64() as? Value { return data }
        if type == URL.self, let url = try url() as? Value { return url }
        return try Value(from: self)
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        guard part.kind == .number else { throw mismatch(type, "a whole number") }
        guard let value = part.integer(type) else { throw corrupted("a number that is not whole, or too large") }
        return value
    }

    private func base64() throws -> Data {
        guard let data = Data(base64Encoded: try decode(String.self)) else { throw corrupted("not base64") }
        return data
    }

    private func url() throws -> URL {
        guard let url = URL(string: try decode(String.self)) else { throw corrupted("no URL") }
        return url
    }
}

extension JSONKind {
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The path to a value as a linked list, so that a step down costs the same at every depth.
final class JSONPath {
    private let parent: JSONPath?
    private let key: any CodingKey

    init(_ key: any CodingKey, after parent: JSONPath?) {
        self.parent = parent
        self.key = key
    }

    /// The keys from the top down.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step: JSONPath? = self
        while let current = step {
            keys.append(current.key)
            step = current.parent
        }
        return keys.reversed()
    }
}
