package import Crypto
package import Foundation
package import InAppPurchase
import SwiftASN1
import X509

/// A root, an intermediate and a leaf like the store's, with which a test signs what it likes.
package struct SigningAuthority {
    static let leafMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    static let intermediateMarker: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    private let leafKey = P256.Signing.PrivateKey()
    /// DER; leaf, intermediate, root.
    package let certificates: [Data]
    package let root: Data

    /// - Parameters:
    ///   - root: without one, one of its own.
    ///   - date: when all certificates are valid.
    package init(
        _ root: Root? = nil, at date: Date = World.start, leafIsMarked: Bool = true, intermediateIsMarked: Bool = true
    ) throws {
        let root = try root ?? Root(at: date)
        let intermediateKey = P384.Signing.PrivateKey()
        let issuer = CertificateIssuer(name: "Root", key: .init(root.key), date: date)
        let intermediate = CertificateIssuer(name: "Intermediate", key: .init(intermediateKey), date: date)
        self.root = root.certificate
        certificates = [
            try intermediate.certificate(
                "Leaf", .init(leafKey.publicKey), isAuthority: false, marker: leafIsMarked ? Self.leafMarker : nil),
            try issuer.certificate(
                "Intermediate", .init(intermediateKey.publicKey), isAuthority: true,
                marker: intermediateIsMarked ? Self.intermediateMarker : nil),
            root.certificate,
        ]
    }

    /// A root that several chains can share.
    package struct Root {
        package let key: P384.Signing.PrivateKey
        package let certificate: Data

        package init(at date: Date = World.start) throws {
            key = P384.Signing.PrivateKey()
            certificate = try CertificateIssuer(name: "Root", key: .init(key), date: date)
                .certificate("Root", .init(key.publicKey), isAuthority: true, marker: nil)
        }
    }

    package func header(_ algorithm: String = "ES256", certificates count: Int = 3) -> JSONValue {
        let chain = (certificates + [root]).prefix(count).map { JSONValue.string($0.base64EncodedString()) }
        return ["alg": .string(algorithm), "x5c": .array(chain)]
    }

    /// Signs by the leaf's key.
    package func jws(_ payload: JSONValue, header: JSONValue? = nil) throws -> String {
        let signed = try [header ?? self.header(), payload].map { try JSONEncoder().encode($0).base64URLText }
            .joined(separator: ".")
        return "\(signed).\(try leafKey.signature(for: Data(signed.utf8)).rawRepresentation.base64URLText)"
    }

    /// Ten hints, bought and signed at `date`.
    package static func transaction(_ changes: [String: JSONValue] = [:], at date: Date = World.start) -> JSONValue {
        let date = JSONValue.integer(Int(date.timeIntervalSince1970) * 1000)
        let members: [String: JSONValue] = [
            "transactionId": "2000000000000077", "originalTransactionId": "2000000000000077",
            "bundleId": .string(World.app), "productId": .string("\(World.app).tenhints"), "type": "Consumable",
            "quantity": 1, "purchaseDate": date, "signedDate": date, "environment": "Production",
            "inAppOwnershipType": "PURCHASED",
        ]
        return .object(members.merging(changes) { $1 }.filter { $0.value != .null })
    }
}

private struct CertificateIssuer {
    var name: String
    var key: Certificate.PrivateKey
    var date: Date

    func certificate(
        _ subject: String, _ publicKey: Certificate.PublicKey, isAuthority: Bool, marker: ASN1ObjectIdentifier?
    ) throws -> Data {
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: date - 86_400,
            notValidAfter: date + 86_400, issuer: DistinguishedName { CommonName(name) },
            subject: DistinguishedName { CommonName(subject) }, signatureAlgorithm: .ecdsaWithSHA384,
            extensions: Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                } else {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                }
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key.publicKey).keyIdentifier)
                // ASN.1 NULL, as in the store's own.
                if let marker { Certificate.Extension(oid: marker, critical: false, value: [5, 0]) }
            },
            issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return Data(serializer.serializedBytes)
    }
}

extension Data {
    /// RFC 4648 §5, without padding.
    package var base64URLText: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
