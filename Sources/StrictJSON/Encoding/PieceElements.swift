/// A container of the elements of an array.
struct PieceElements: UnkeyedEncodingContainer {
    private let encoder: PieceEncoder
    private let elements: JSONPiece.Elements

    init(_ encoder: PieceEncoder, _ elements: JSONPiece.Elements) {
        self.encoder = encoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { elements.all.count }

    private func add(_ piece: JSONPiece) { elements.all.append(piece) }

    private var key: any CodingKey { JSONKey(intValue: count) }

    func encodeNil() { add(.null) }
    func encode(_ value: Bool) { add(.bool(value)) }
    func encode(_ value: String) { add(.string(value)) }
    func encode(_ value: Double) throws { add(try encoder.number(value)) }
    func encode(_ value: Float) throws { add(try encoder.number(value)) }
    func encode(_ value: Int) { add(.integer(value)) }
    func encode(_ value: Int8) { add(encoder.integer(value)) }
    func encode(_ value: Int16) { add(encoder.integer(value)) }
    func encode(_ value: Int32) { add(encoder.integer(value)) }
    func encode(_ value: Int64) { add(encoder.integer(value)) }
    func encode(_ value: UInt) { add(encoder.integer(value)) }
    func encode(_ value: UInt8) { add(encoder.integer(value)) }
    func encode(_ value: UInt16) { add(encoder.integer(value)) }
    func encode(_ value: UInt32) { add(encoder.integer(value)) }
    func encode(_ value: UInt64) { add(encoder.integer(value)) }

    func encode<Value: Encodable>(_ value: Value) throws {
        add(try encoder.nested(key).piece(of: value) ?? .object(.init()))
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let nested = encoder.nested(key)
        add(.object(nested.members))
        return nested.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = encoder.nested(key)
        add(.array(nested.elements))
        return nested.unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let nested = encoder.nested(key)
        add(.later(nested))
        return nested
    }
}
