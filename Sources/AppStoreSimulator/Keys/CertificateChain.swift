import Foundation
import SwiftASN1
import X509

/// Leaf, intermediate and root with the extensions of Apple's certificates for the App Store.
struct CertificateChain: Sendable {
    /// The validity before now: a development server may run with its clock set back.
    static let validityBefore: TimeInterval = 10 * 365 * 86_400
    /// The validity after now: a development database outlives certificates of a year or two, and nothing here renews
    /// them.
    static let validityAfter: TimeInterval = 30 * 365 * 86_400

    var leaf: Certificate
    var intermediate: Certificate
    var root: Certificate

    /// All three in the order of `x5c`: each is signed by the next.
    var certificates: [Certificate] { [leaf, intermediate, root] }

    /// Issues a chain for the three keys.
    ///
    /// - Parameters:
    ///   - name: the name in the certificates' subjects, which distinguishes this chain from others.
    ///   - algorithm: the signature algorithm of the root and the intermediate.
    init(
        name: String, leaf leafKey: Certificate.PrivateKey, intermediate intermediateKey: Certificate.PrivateKey,
        root rootKey: Certificate.PrivateKey, algorithm: Certificate.SignatureAlgorithm, at date: Date
    ) throws {
        let issue = Issuing(algorithm: algorithm, date: date)
        let rootName = try Self.name("\(name) Root CA")
        let intermediateName = try Self.name("\(name) Worldwide Developer Relations CA")
        root = try issue.authority(rootName, rootKey.publicKey, pathLength: nil, marker: nil, by: (rootName, rootKey))
        intermediate = try issue.authority(
            intermediateName, intermediateKey.publicKey, pathLength: 0, marker: MarkerOID.intermediate,
            by: (rootName, rootKey))
        leaf = try issue.signer(
            Self.name("\(name) Receipt Signing"), leafKey.publicKey, by: (intermediateName, intermediateKey))
    }

    /// - Throws: if there are not three certificates, or one cannot be read.
    init(derEncoded certificates: [Data]) throws {
        guard certificates.count == 3, let leaf = certificates.first, let root = certificates.last else {
            throw SimulatorKeyError()
        }
        self.leaf = try Certificate(derEncoded: [UInt8](leaf))
        intermediate = try Certificate(derEncoded: [UInt8](certificates[1]))
        self.root = try Certificate(derEncoded: [UInt8](root))
    }

    private static func name(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Simulated App Store, for development only")
        }
    }
}

/// Issues certificates with one validity and signature algorithm.
private struct Issuing {
    typealias Issuer = (name: DistinguishedName, key: Certificate.PrivateKey)

    var algorithm: Certificate.SignatureAlgorithm
    var date: Date

    func authority(
        _ subject: DistinguishedName, _ key: Certificate.PublicKey, pathLength: Int?, marker: ASN1ObjectIdentifier?,
        by issuer: Issuer
    ) throws -> Certificate {
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: pathLength))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            if let marker { Certificate.Extension(oid: marker, critical: false, value: MarkerOID.value) }
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuer.key.publicKey).keyIdentifier)
        }
        return try certificate(subject, key, extensions, by: issuer)
    }

    func signer(_ subject: DistinguishedName, _ key: Certificate.PublicKey, by issuer: Issuer) throws -> Certificate {
        let extensions = try Certificate.Extensions {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            Certificate.Extension(oid: MarkerOID.leaf, critical: false, value: MarkerOID.value)
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuer.key.publicKey).keyIdentifier)
        }
        return try certificate(subject, key, extensions, by: issuer)
    }

    private func certificate(
        _ subject: DistinguishedName, _ key: Certificate.PublicKey, _ extensions: Certificate.Extensions,
        by issuer: Issuer
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key,
            notValidBefore: date - CertificateChain.validityBefore,
            notValidAfter: date + CertificateChain.validityAfter, issuer: issuer.name, subject: subject,
            signatureAlgorithm: algorithm, extensions: extensions, issuerPrivateKey: issuer.key)
    }
}

/// The extensions that distinguish the App Store's signing certificates from all others under Apple's roots.
///
/// Source: Apple, "Validating receipts on the device" and "JWSDecodedHeader".
enum MarkerOID {
    /// The marker of the intermediate (Worldwide Developer Relations).
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    /// The marker of the leaf that signs receipts and transactions.
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// The value of both: ASN.1 NULL.
    static let value: ArraySlice<UInt8> = [5, 0]
}
