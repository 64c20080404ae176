package import Crypto
import Foundation
import InAppPurchase

/// Verifying keys as others know to read them: a JWK Set (RFC 7517 §5) of Ed25519 keys (RFC 8037 §2).
package struct JSONWebKeySet: Codable, Sendable {
    var keys: [JSONWebKey]

    package init(_ keys: [AuditVerifyingKey]) { self.keys = keys.map { JSONWebKey($0) } }

    /// Adds keys that checkpoints are not checked with.
    ///
    /// - Parameter purpose: what they are for; a member of our own, which others pass over (RFC 7517 §4).
    package mutating func add(_ keys: [Curve25519.Signing.PublicKey], for purpose: String) {
        self.keys += keys.map { JSONWebKey(AuditVerifyingKey($0), purpose: purpose) }
    }

    /// Those that checkpoints are checked with. Keys of other kinds (RFC 7517 §5) and for other purposes are left out.
    ///
    /// - Throws: ``AuditKeyError`` for one whose ID is not that of its bytes.
    package func verifying() throws -> [AuditVerifyingKey] { try keys.compactMap { try $0.verifying() } }
}

/// One of them. All members but ``purpose`` are always written.
struct JSONWebKey: Codable, Sendable {
    /// Only ``kty`` must be there (RFC 7517 §4); the rest may be another kind's.
    var kty: String
    var crv: String?
    var x: String?
    var kid: String?
    var alg: String?
    var use: String?
    /// Left out for keys of checkpoints.
    var purpose: String?

    init(_ key: AuditVerifyingKey, purpose: String? = nil) {
        kty = "OKP"
        crv = "Ed25519"
        x = key.bytes.base64URL
        kid = key.id
        alg = "EdDSA"
        use = "sig"
        self.purpose = purpose
    }

    func verifying() throws -> AuditVerifyingKey? {
        guard kty == "OKP", crv == "Ed25519", purpose == nil else { return nil }
        guard let x, let bytes = Data(base64URL: x),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { throw AuditKeyError(name: kid ?? "a key without an ID") }
        let verifying = AuditVerifyingKey(key)
        guard kid == verifying.id else { throw AuditKeyError(name: kid ?? "a key without an ID") }
        return verifying
    }
}

extension Data {
    /// RFC 4648 §5, without padding.
    fileprivate init?(base64URL text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
