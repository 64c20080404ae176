/// Decodes the elements of an array.
struct JSONArrayContainer: UnkeyedDecodingContainer {
    private let decoder: JSONPartDecoder
    private let elements: [JSONPart]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(_ decoder: JSONPartDecoder) {
        self.decoder = decoder
        elements = decoder.part.elements
    }

    /// Reads the next element; if that fails, the position does not change.
    ///
    /// - Throws: `valueNotFound` at the end, and what `read` throws.
    private mutating func readNext<Value>(_ read: (JSONPartDecoder) throws -> Value) throws -> Value {
        let path = JSONPath(JSONKey(intValue: currentIndex), after: decoder.path)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Value.self, .init(codingPath: path.keys, debugDescription: "The array has no more elements."))
        }
        let value = try read(JSONPartDecoder(elements[currentIndex], path))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].kind == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try readNext { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try readNext { try $0.decode(type) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try readNext { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try readNext { try $0.container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try readNext { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try readNext { $0 } }
}
