import SwiftASN1

/// An attribute of an app receipt: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
///
/// Source: Apple, "Validating receipts on the device".
struct ReceiptAttribute: BERParseable {
    var type: Int
    /// Another encoded value, or octets whose meaning is not public.
    var value: [UInt8]

    init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

    init(berEncoded node: ASN1Node) throws {
        (type, value) = try BER.sequence(node, identifier: .sequence) { nodes in
            let type = try Int(berEncoded: &nodes)
            _ = try Int(berEncoded: &nodes)
            return (type, Array(try ASN1OctetString(berEncoded: &nodes).bytes))
        }
    }
}
