/// Decodes the members of an object. If a name is repeated, the first member counts.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The number of members up to which a name is looked for among all: a dictionary costs more than that.
    private static var few: Int { 32 }

    private let decoder: JSONPartDecoder
    /// The members of an object that has many; `nil` if it has few.
    private let values: [String: JSONPart]?

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        var seen: Set<String> = []
        return decoder.part.members.compactMap { member in
            guard let name = member.name.string, seen.insert(name).inserted else { return nil }
            return Key(stringValue: name)
        }
    }

    init(_ decoder: JSONPartDecoder) {
        self.decoder = decoder
        values =
            decoder.part.hasFewMembers(Self.few)
            ? nil
            : Dictionary(
                decoder.part.members.compactMap { member in member.name.string.map { ($0, member.value) } }
            ) { first, _ in first }
    }

    private func value(_ name: String) -> JSONPart? { values.map { $0[name] } ?? decoder.part[name] }

    func contains(_ key: Key) -> Bool { value(key.stringValue) != nil }

    /// - Throws: `keyNotFound` if there is no such member.
    private func child(_ key: any CodingKey) throws -> JSONPartDecoder {
        guard let value = value(key.stringValue) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return JSONPartDecoder(value, JSONPath(key, after: decoder.path))
    }

    /// `nil` if there is no such member, or if it is `null`.
    private func childIfAny(_ key: Key) -> JSONPartDecoder? {
        guard let value = value(key.stringValue), value.kind != .null else { return nil }
        return JSONPartDecoder(value, JSONPath(key, after: decoder.path))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try childIfAny(key)?.decode(type) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try childIfAny(key)?.decode(type) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try childIfAny(key)?.decode(type) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try childIfAny(key)?.decode(type) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try childIfAny(key)?.decode(type)
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

/// A coding key: a member's name, or the position of an element.
struct JSONKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// The key of `super`, as in `JSONDecoder`.
    static let parent = JSONKey(stringValue: "super")
}
