/// A container of the members of an object.
struct PieceMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: PieceEncoder
    private let members: JSONPiece.Members

    init(_ encoder: PieceEncoder, _ members: JSONPiece.Members) {
        self.encoder = encoder
        self.members = members
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func add(_ piece: JSONPiece, _ key: Key) { members.all.append((key.stringValue, piece)) }

    func encodeNil(forKey key: Key) { add(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { add(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { add(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { add(try encoder.number(value), key) }
    func encode(_ value: Float, forKey key: Key) throws { add(try encoder.number(value), key) }
    func encode(_ value: Int, forKey key: Key) { add(.integer(value), key) }
    func encode(_ value: Int8, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: Int16, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: Int32, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: Int64, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: UInt, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: UInt8, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: UInt16, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: UInt32, forKey key: Key) { add(encoder.integer(value), key) }
    func encode(_ value: UInt64, forKey key: Key) { add(encoder.integer(value), key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        add(try encoder.nested(key).piece(of: value) ?? .object(.init()), key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = encoder.nested(key)
        add(.object(nested.members), key)
        return nested.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = encoder.nested(key)
        add(.array(nested.elements), key)
        return nested.unkeyedContainer()
    }

    /// The value of a superclass, in a member of its own.
    func superEncoder() -> any Encoder { superEncoder(named: "super", nil) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(named: key.stringValue, key) }

    private func superEncoder(named name: String, _ key: Key?) -> any Encoder {
        let nested = encoder.nested(key)
        members.all.append((name, .later(nested)))
        return nested
    }
}
