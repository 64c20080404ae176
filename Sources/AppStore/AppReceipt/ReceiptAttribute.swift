import SwiftASN1

/// `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`, what app receipts are a set of.
///
/// Source: Apple, "Validating receipts on the device".
struct ReceiptAttribute: BERParseable {
    var type: Int
    /// Another encoded value, or octets that mean nothing to us.
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
