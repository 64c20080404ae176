/// Decodes the members of an object. If a name is repeated, the first member counts.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: JSONPartDecoder
    private let names: [String]
    private let values: [String: JSONPart]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

    init(_ decoder: JSONPartDecoder) {
        self.decoder = decoder
        var (names, values) = ([String](), [String: JSONPart]())
        for member in decoder.part.members {
            guard let name = member.name.string, values[name] == nil else { continue }
            names.append(name)
            values[name] = member.value
        }
        self.names = names
        self.values = values
    }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    /// - Throws: `keyNotFound` if there is no such member.
    private func child(_ key: any CodingKey) throws -> JSONPartDecoder {
        guard let value = values[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return JSONPartDecoder(value, JSONPath(key, after: decoder.path))
    }

    func decodeNil(forKey key: Key) throws -> Bool { try child(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try child(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try child(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try child(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try child(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try child(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try child(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try child(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try child(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try child(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try child(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try child(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try child(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try child(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try child(key).decode(type) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try child(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try child(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try child(JSONKey.parent) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }
}
