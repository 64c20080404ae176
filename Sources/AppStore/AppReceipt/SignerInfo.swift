import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The signer of a message and its signature (RFC 5652 §5.3).
struct SignerInfo {
    /// Issuer and serial number identify the signer's certificate.
    var issuer: DistinguishedName
    var serialNumber: [UInt8]
    /// Issuer and serial number as received.
    var encodedCertificateID: ArraySlice<UInt8>
    var digest: DigestAlgorithm
    /// The signed attributes; `nil` in the App Store's own receipts, which sign the content itself.
    var attributes: SignedAttributes?
    var signature: [UInt8]

    private static let attributesTag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    init(berEncoded node: ASN1Node) throws {
        self = try BER.sequence(node, identifier: .sequence) { nodes in
            _ = try Int(berEncoded: &nodes)
            guard let certificateID = nodes.next() else { throw AppReceiptError() }
            let (issuer, serialNumber) = try Self.certificate(certificateID)
            let digest = try DigestAlgorithm(nodes.next())
            var next = nodes.next()
            let attributes = next?.identifier == Self.attributesTag ? try next.map(SignedAttributes.init) : nil
            if attributes != nil { next = nodes.next() }
            // The signature's algorithm: RSA with the digest above, whatever name it has here.
            guard next?.identifier == .sequence else { throw AppReceiptError() }
            let signature = Array(try ASN1OctetString(berEncoded: &nodes).bytes)
            while nodes.next() != nil {}
            return SignerInfo(
                issuer: issuer, serialNumber: serialNumber, encodedCertificateID: certificateID.encodedBytes,
                digest: digest, attributes: attributes, signature: signature)
        }
    }

    private init(
        issuer: DistinguishedName, serialNumber: [UInt8], encodedCertificateID: ArraySlice<UInt8>,
        digest: DigestAlgorithm, attributes: SignedAttributes?, signature: [UInt8]
    ) {
        self.issuer = issuer
        self.serialNumber = serialNumber
        self.encodedCertificateID = encodedCertificateID
        self.digest = digest
        self.attributes = attributes
        self.signature = signature
    }

    /// `IssuerAndSerialNumber`
    private static func certificate(_ node: ASN1Node) throws -> (DistinguishedName, [UInt8]) {
        try BER.sequence(node, identifier: .sequence) { nodes in
            guard let issuer = nodes.next(), let serial = nodes.next(), serial.identifier == .integer,
                case .primitive(let octets) = serial.content
            else { throw AppReceiptError() }
            return (try DistinguishedName(derEncoded: DER.parse(issuer.encodedBytes)), Array(octets))
        }
    }

    func isBy(_ certificate: Certificate) -> Bool {
        certificate.issuer == issuer && Array(certificate.serialNumber.bytes) == serialNumber.withoutLeadingZeros
    }

    /// Whether the key made the signature, of the content or of attributes that hold the content's digest.
    func isValidSignature(of content: [UInt8], by key: _RSA.Signing.PublicKey) -> Bool {
        guard let attributes else { return digest.isValidSignature(signature, of: content, by: key) }
        return attributes.messageDigest == digest.hash(content)
            && digest.isValidSignature(signature, of: attributes.encoded, by: key)
    }
}

extension [UInt8] {
    /// The DER integer without the leading zero that keeps it from being negative.
    fileprivate var withoutLeadingZeros: [UInt8] { Array(drop { $0 == 0 }) }
}

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
