import SwiftASN1

/// The content and the first signature of PKCS#7 signed data, enough to tell whether this simulator signed it.
struct SignedContent {
    var content: [UInt8]
    var signature: [UInt8]

    /// Decodes BER, as receipts made by Xcode are.
    ///
    /// - Throws: if the octets are not signed data with content and a signer (RFC 5652 §5).
    init(berEncoded octets: [UInt8]) throws {
        self = try BER.sequence(BER.parse(octets), identifier: .sequence) { nodes in
            guard try ASN1ObjectIdentifier(berEncoded: &nodes) == SignedDataOID.signedData else {
                throw ReceiptDataError()
            }
            return try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
                try SignedContent(signedData: $0)
            }
        }
    }

    private init(signedData node: ASN1Node) throws {
        (content, signature) = try BER.sequence(node, identifier: .sequence) { nodes in
            _ = (nodes.next(), nodes.next())
            guard let encapsulated = nodes.next() else { throw ReceiptDataError() }
            var last: ASN1Node?
            // Certificates and revocation lists may stand between; the set of signers is always the last.
            while let next = nodes.next() { last = next }
            guard let last else { throw ReceiptDataError() }
            return (try Self.content(of: encapsulated), try Self.signature(in: last))
        }
    }

    private static func content(of node: ASN1Node) throws -> [UInt8] {
        try BER.sequence(node, identifier: .sequence) { nodes in
            guard try ASN1ObjectIdentifier(berEncoded: &nodes) == SignedDataOID.data else { throw ReceiptDataError() }
            return try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
                Array(try ASN1OctetString(berEncoded: $0).bytes)
            }
        }
    }

    private static func signature(in node: ASN1Node) throws -> [UInt8] {
        try BER.set(node, identifier: .set) { signers in
            guard let signer = signers.next() else { throw ReceiptDataError() }
            while signers.next() != nil {}
            return try BER.sequence(signer, identifier: .sequence) { nodes in
                var octets: [UInt8]?
                // The signature is the only octet string of a signer that is not inside something else.
                while let next = nodes.next() {
                    if next.identifier == .octetString { octets = Array(try ASN1OctetString(berEncoded: next).bytes) }
                }
                guard let octets else { throw ReceiptDataError() }
                return octets
            }
        }
    }
}

/// The object identifiers of PKCS#7 signed data (RFC 5652, RFC 3370, RFC 5754).
enum SignedDataOID {
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
}
