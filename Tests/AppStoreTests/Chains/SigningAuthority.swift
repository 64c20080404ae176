import Crypto
import Foundation
import InAppPurchase
import SwiftASN1
import Testing
import X509

@testable import AppStore

/// A root of the test's own, with an intermediate and a leaf like the store's.
struct SigningAuthority {
    struct Options {
        var leafMarker = true
        var intermediateMarker = true
        var intermediateIsAuthority = true
        var leafIsAuthority = false
        var leafKeyUsage: KeyUsage? = KeyUsage(digitalSignature: true)
        var intermediateKeyUsage: KeyUsage? = KeyUsage(keyCertSign: true, cRLSign: true)
        var rootKeyUsage: KeyUsage? = KeyUsage(keyCertSign: true, cRLSign: true)
        var leafIdentifiers = KeyIdentifiers.right
        var intermediateIdentifiers = KeyIdentifiers.right
        /// As its basic constraints say.
        var intermediateIsCritical = true
        var leafPublicKey: Certificate.PublicKey?
        var leafNotAfter = Date.t0 + 365 * 86_400
        var intermediateNotAfter = Date.t0 + 10 * 365 * 86_400
    }

    let rootKey = P384.Signing.PrivateKey()
    let intermediateKey = P384.Signing.PrivateKey()
    let leafKey = P256.Signing.PrivateKey()
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate

    init(_ options: Options = Options()) throws {
        let rootIssuer = Issuer(name: "Root", key: .init(rootKey))
        root = try rootIssuer.certificate(
            "Root", .init(rootKey.publicKey), isAuthority: true, usage: options.rootKeyUsage,
            notAfter: Date.t0 + 20 * 365 * 86_400)
        intermediate = try rootIssuer.certificate(
            "Intermediate", .init(intermediateKey.publicKey), isAuthority: options.intermediateIsAuthority,
            marker: options.intermediateMarker ? AppStoreSigningPolicy.intermediateMarker : nil,
            usage: options.intermediateKeyUsage, identifiers: options.intermediateIdentifiers,
            constraintsAreCritical: options.intermediateIsCritical, notAfter: options.intermediateNotAfter)
        leaf = try Issuer(name: "Intermediate", key: .init(intermediateKey)).certificate(
            "Leaf", options.leafPublicKey ?? .init(leafKey.publicKey), isAuthority: options.leafIsAuthority,
            marker: options.leafMarker ? AppStoreSigningPolicy.leafMarker : nil, usage: options.leafKeyUsage,
            identifiers: options.leafIdentifiers, notAfter: options.leafNotAfter)
    }

    var anchors: TrustAnchors { get throws { try TrustAnchors(signedDataRoots: [root.der], receiptRoots: []) } }

    var verifier: SignedTransactionVerifier { get throws { SignedTransactionVerifier(anchors: try anchors) } }

    /// The certificates of a genuine header, in base64.
    var x5c: [String] { get throws { try [leaf, intermediate, root].map { try $0.der.base64EncodedString() } } }

    var header: JSONValue { get throws { ["alg": "ES256", "x5c": .array(try x5c.map(JSONValue.string))] } }

    /// Signs with the leaf's key unless another is given.
    func jws(_ payload: JSONValue, header: JSONValue? = nil, key: P256.Signing.PrivateKey? = nil) throws -> String {
        let signed = try [header ?? self.header, payload].map { try $0.data.base64URL }.joined(separator: ".")
        let signature = try (key ?? leafKey).signature(for: Data(signed.utf8))
        return "\(signed).\(signature.rawRepresentation.base64URL)"
    }

    /// Expects that a verifier that trusts this authority refuses the transaction.
    func expect(
        _ reason: ReceiptRejection.Reason, _ jws: String, expecting bundleID: BundleID? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let verifier = try verifier
        await #expect(throws: ReceiptRejection(reason), sourceLocation: sourceLocation) {
            try await verifier.verify(jws, apps: hangman, expecting: bundleID, at: .t0)
        }
    }
}

extension SigningChainVerifier {
    /// The key of a leaf whose chain is verified.
    func key(leaf: Data, intermediate: Data, at date: Date, now: Date) async throws -> LeafKey {
        let envelope = Envelope.certificates(
            SignerCertificates(leaf: leaf, intermediate: intermediate), in: leaf + intermediate)
        let signer = try signer(envelope, at: date, now: now)
        try await verify(signer, envelope, now: now)
        return signer.key
    }
}

/// The identifiers of a certificate's key and its issuer's (RFC 5280 §4.2.1.1, §4.2.1.2).
enum KeyIdentifiers {
    case right, missing, another, issuerAlone, anotherNumber, anotherIssuer

    func authority(_ key: Certificate.PublicKey) -> AuthorityKeyIdentifier {
        let identifier = SubjectKeyIdentifier(hash: key).keyIdentifier
        let nobody = (try? DistinguishedName { CommonName("Nobody") }).map { [GeneralName.directoryName($0)] }
        return switch self {
        case .right, .missing: AuthorityKeyIdentifier(keyIdentifier: identifier)
        case .another: AuthorityKeyIdentifier(keyIdentifier: [1, 2, 3])
        case .issuerAlone: AuthorityKeyIdentifier(authorityCertIssuer: nobody, authorityCertSerialNumber: .init())
        case .anotherNumber: AuthorityKeyIdentifier(keyIdentifier: identifier, authorityCertSerialNumber: .init())
        case .anotherIssuer: AuthorityKeyIdentifier(keyIdentifier: identifier, authorityCertIssuer: nobody)
        }
    }
}

struct Issuer {
    var name: String
    var key: Certificate.PrivateKey
    var algorithm = Certificate.SignatureAlgorithm.ecdsaWithSHA384

    func certificate(
        _ subject: String, _ publicKey: Certificate.PublicKey, isAuthority: Bool, marker: ASN1ObjectIdentifier? = nil,
        usage: KeyUsage?, identifiers: KeyIdentifiers = .right, constraintsAreCritical: Bool = true, notAfter: Date
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: .t0 - 86_400,
            notValidAfter: notAfter, issuer: DistinguishedName { CommonName(name) },
            subject: DistinguishedName { CommonName(subject) }, signatureAlgorithm: algorithm,
            extensions: Certificate.Extensions {
                try Certificate.Extension(
                    isAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority,
                    critical: constraintsAreCritical)
                if let usage { Critical(usage) }
                if identifiers != .missing {
                    SubjectKeyIdentifier(hash: publicKey)
                    identifiers.authority(key.publicKey)
                }
                // ASN.1 NULL, as in the store's own.
                if let marker { Certificate.Extension(oid: marker, critical: false, value: [5, 0]) }
            },
            issuerPrivateKey: key)
    }
}

extension Date {
    /// 2026-11-20T21:37:00Z
    static let t0 = Date(timeIntervalSince1970: 1_795_210_620)
}

extension Certificate {
    var der: Data {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return Data(serializer.serializedBytes)
        }
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
