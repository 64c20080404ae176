import Foundation
import InAppPurchase
import SwiftASN1
import X509

/// A PKCS#7 signed-data message with one signer (RFC 5652 §5), the format of app receipts. Nothing of it is verified
/// yet.
///
/// Read as BER, since Xcode's receipts have indefinite lengths and strings in pieces (X.690 §8.1.3.6, §8.7.3).
struct SignedDataMessage {
    /// The maximum number of certificates; genuine receipts have 3.
    static let maximumCertificates = 8
    /// The maximum number of nodes, without those in the content: genuine receipts have some 500, most of them in the
    /// certificates, and some thousand more where the content is in pieces.
    static let maximumNodes = 10_000

    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 1]

    /// The octets that are signed directly, or by their digest.
    var content: [UInt8]
    /// The certificates in DER, in the order of the message, which has no meaning.
    var certificates: [[UInt8]]
    var signer: SignerInfo

    /// - Throws: `malformed`
    init(berEncoded octets: [UInt8]) throws(ReceiptRejection) {
        do {
            _ = try BERHead.count(octets[...], atMost: Self.maximumNodes)
            self = try BER.sequence(BER.parse(octets), identifier: .sequence) { nodes in
                guard try ASN1ObjectIdentifier(berEncoded: &nodes) == Self.signedData else { throw AppReceiptError() }
                return try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
                    try BER.sequence($0, identifier: .sequence) { try SignedDataMessage(signedData: &$0) }
                }
            }
        } catch {
            throw ReceiptRejection(.malformed, "no PKCS#7 signed data")
        }
    }

    private init(signedData nodes: inout ASN1NodeCollection.Iterator) throws {
        _ = try Int(berEncoded: &nodes)
        guard nodes.next()?.identifier == .set, let encapsulated = nodes.next() else { throw AppReceiptError() }
        content = try Self.content(of: encapsulated)
        certificates = try Self.certificates(in: nodes.next())
        var rest: [ASN1Node] = []
        // Revocation lists may precede the signers; they are ignored.
        while let node = nodes.next() { rest.append(node) }
        guard let signers = rest.popLast(), rest.count <= 1 else { throw AppReceiptError() }
        signer = try BER.set(signers, identifier: .set) { signers in
            guard let signer = signers.next(), signers.next() == nil else { throw AppReceiptError() }
            return try SignerInfo(berEncoded: signer)
        }
    }

    private static func content(of node: ASN1Node) throws -> [UInt8] {
        try BER.sequence(node, identifier: .sequence) { nodes in
            guard try ASN1ObjectIdentifier(berEncoded: &nodes) == Self.data else { throw AppReceiptError() }
            return try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
                Array(try ASN1OctetString(berEncoded: $0).bytes)
            }
        }
    }

    /// `[0] IMPLICIT CertificateSet`
    private static func certificates(in node: ASN1Node?) throws -> [[UInt8]] {
        guard let node, node.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific),
            case .constructed(let nodes) = node.content
        else { throw AppReceiptError() }
        let certificates = nodes.prefix(maximumCertificates + 1).map { Array($0.encodedBytes) }
        guard certificates.count <= maximumCertificates else { throw AppReceiptError() }
        return certificates
    }
}

extension SignedDataMessage {
    /// The certificates and the signer's identifier as received: the same bytes in all messages of one signer.
    var envelope: Data { certificates.reduce(into: Data(signer.encodedCertificateID)) { $0 += $1 } }

    /// Picks the signer's certificate and its issuer's from those of the message, whose order has no meaning.
    ///
    /// - Throws: `chain`
    func signerCertificates() throws(ReceiptRejection) -> SignerCertificates {
        let certificates = certificates.compactMap { der in
            (try? Certificate(derEncoded: der)).map { (der: Data(der), certificate: $0) }
        }
        guard let leaf = certificates.first(where: { signer.isBy($0.certificate) }),
            let intermediate = certificates.first(where: { $0.certificate.subject == leaf.certificate.issuer })
        else { throw ReceiptRejection(.chain, "the signer's certificates are not in the receipt") }
        return SignerCertificates(leaf: leaf.der, intermediate: intermediate.der)
    }
}
