import Basics
package import Crypto
import Foundation
import Ledger

/// A JSON Web Key (RFC 7517). All members but ``purpose`` are always written.
package struct JSONWebKey: Codable, Sendable {
    /// Only ``kty`` is required (RFC 7517 §4); the other members depend on the key type.
    var kty: String
    var crv: String?
    package private(set) var x: String?
    package private(set) var kid: String?
    var alg: String?
    var use: String?
    /// `nil`, and left out, for keys of checkpoints.
    package private(set) var purpose: String?
    /// From when it signs, in RFC 3339; a member of our own, for keys of manifests.
    package private(set) var signsFrom: String?

    init(_ key: AuditVerifyingKey, purpose: String? = nil, signsFrom: String? = nil) {
        kty = "OKP"
        crv = "Ed25519"
        x = key.bytes.base64URL
        kid = key.id
        alg = "EdDSA"
        use = "sig"
        self.purpose = purpose
        self.signsFrom = signsFrom
    }

    func verifying() throws -> AuditVerifyingKey? {
        guard kty == "OKP", crv == "Ed25519", purpose == nil else { return nil }
        guard let x, let bytes = Data(base64URL: x.utf8),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { throw AuditKeyError(name: kid ?? "a key without an ID") }
        let verifying = AuditVerifyingKey(key)
        guard kid == verifying.id else { throw AuditKeyError(name: kid ?? "a key without an ID") }
        return verifying
    }
}

/// A public key that verifies checkpoints.
package struct AuditVerifyingKey: Sendable {
    let key: Curve25519.Signing.PublicKey

    package init(_ key: Curve25519.Signing.PublicKey) { self.key = key }

    /// The key's 32 bytes (RFC 8032 §5.1.5).
    var bytes: Data { key.rawRepresentation }

    /// The key's thumbprint (RFC 7638 §3, RFC 8037 appendix A.3), which is always the same for the same key.
    package var id: String {
        let members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(bytes.base64URL)"}"#
        return Data(SHA256.hash(data: Data(members.utf8))).base64URL
    }

    func signed(_ checkpoint: Checkpoint) -> Bool {
        key.isValidSignature(checkpoint.signature, for: checkpoint.signedBytes)
    }
}

/// The verifying keys as a JWK Set (RFC 7517 §5) of Ed25519 keys (RFC 8037 §2).
package struct JSONWebKeySet: Codable, Sendable {
    package private(set) var keys: [JSONWebKey]
    /// The list of the keys for manifests that a root key signed, a JWS; a member of our own, as ``version``.
    package var rootSignature: String?
    /// The number of that list.
    package var version: Int?

    package init(_ keys: [AuditVerifyingKey]) { self.keys = keys.map { JSONWebKey($0) } }

    /// Adds a key that does not verify checkpoints.
    ///
    /// - Parameters:
    ///   - purpose: its use; a member of our own, which others ignore (RFC 7517 §4).
    ///   - signsFrom: from when it signs, in RFC 3339.
    package mutating func add(_ key: Curve25519.Signing.PublicKey, for purpose: String, signsFrom: String) {
        keys.append(JSONWebKey(AuditVerifyingKey(key), purpose: purpose, signsFrom: signsFrom))
    }

    /// The keys that verify checkpoints. Keys of other types (RFC 7517 §5) and for other purposes are left out.
    ///
    /// - Throws: ``AuditKeyError`` for a key whose ID is not the thumbprint of its bytes.
    package func verifying() throws -> [AuditVerifyingKey] { try keys.compactMap { try $0.verifying() } }
}
