import SwiftASN1

/// An attribute of an app receipt: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
///
/// Source: Apple, "Validating receipts on the device".
struct SimulatorReceiptAttribute {
    var type: Int
    var value: [UInt8]

    init(_ type: Int, octets value: [UInt8]) {
        self.type = type
        self.value = value
    }

    init(_ type: Int, _ value: some DERSerializable) throws { self.init(type, octets: try DER.bytes(of: value)) }

    init(_ type: Int, text: String) throws { try self.init(type, ASN1UTF8String(text)) }

    /// A date in RFC 3339 form; empty for none.
    init(_ type: Int, date text: String) throws { try self.init(type, ASN1IA5String(text)) }

    /// The value as a string.
    /// - Throws: if it is not a UTF8String.
    var text: String { get throws { String(try ASN1UTF8String(berEncoded: value)) } }

    /// - Throws: if the octets are not a set of attributes.
    static func set(berEncoded octets: [UInt8]) throws -> [SimulatorReceiptAttribute] {
        try BER.set(of: SimulatorReceiptAttribute.self, identifier: .set, rootNode: BER.parse(octets))
    }

    static func serialize(_ attributes: [SimulatorReceiptAttribute]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serializeSetOf(attributes)
        return serializer.serializedBytes
    }
}

extension SimulatorReceiptAttribute: DERSerializable {
    /// The version, the same for all attributes of genuine receipts.
    private static let version = 1

    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(type)
            try coder.serialize(Self.version)
            try coder.serialize(ASN1OctetString(contentBytes: value[...]))
        }
    }
}

extension SimulatorReceiptAttribute: BERParseable {
    init(berEncoded node: ASN1Node) throws {
        self = try BER.sequence(node, identifier: .sequence) { nodes in
            let type = try Int(berEncoded: &nodes)
            _ = try Int(berEncoded: &nodes)
            return SimulatorReceiptAttribute(type, octets: Array(try ASN1OctetString(berEncoded: &nodes).bytes))
        }
    }

    init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }
}

extension DER {
    static func bytes(of value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }
}
