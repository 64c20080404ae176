import SwiftASN1

/// The attributes that are signed instead of the content itself (RFC 5652 §5.4).
struct SignedAttributes {
    static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 3]
    static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 4]

    /// Encoded as a SET, the form that is signed.
    var encoded: [UInt8]
    var messageDigest: [UInt8]

    /// - Throws: if they are not in DER, or a required attribute is missing.
    init(_ node: ASN1Node) throws {
        let setTag: UInt8 = 0x31
        encoded = [setTag] + node.encodedBytes.dropFirst()
        guard case .constructed(let nodes) = try DER.parse(encoded).content else { throw AppReceiptError() }
        var values: [ASN1ObjectIdentifier: [ASN1Node]] = [:]
        for node in nodes {
            try DER.sequence(node, identifier: .sequence) { members in
                let type = try ASN1ObjectIdentifier(derEncoded: &members)
                guard let set = members.next(), case .constructed(let nodes) = set.content, values[type] == nil else {
                    throw AppReceiptError()
                }
                values[type] = Array(nodes)
            }
        }
        guard let type = values[Self.contentType], type.count == 1, let type = type.first,
            try ASN1ObjectIdentifier(derEncoded: type) == SignedDataMessage.data,
            let digest = values[Self.messageDigest], digest.count == 1, let digest = digest.first
        else { throw AppReceiptError() }
        messageDigest = Array(try ASN1OctetString(derEncoded: digest).bytes)
    }
}
