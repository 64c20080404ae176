import Crypto
import Foundation
import InAppPurchase

/// Verifying keys as others know to read them: a JWK Set (RFC 7517 §5) of Ed25519 keys (RFC 8037 §2).
public struct JSONWebKeySet: Codable, Sendable {
    var keys: [JSONWebKey]

    public init(_ keys: [AuditVerifyingKey]) { self.keys = keys.map(JSONWebKey.init) }

    /// Those that checkpoints are checked with. Keys of other kinds are left out (RFC 7517 §5).
    ///
    /// - Throws: ``AuditKeyUnreadable`` for one whose ID is not that of its bytes.
    public func verifying() throws -> [AuditVerifyingKey] { try keys.compactMap { try $0.verifying() } }
}

/// One of them. All members are always written.
struct JSONWebKey: Codable, Sendable {
    /// Only ``kty`` must be there (RFC 7517 §4); the rest may be another kind's.
    var kty: String
    var crv: String?
    var x: String?
    var kid: String?
    var alg: String?
    var use: String?

    init(_ key: AuditVerifyingKey) {
        (kty, crv, x, kid) = ("OKP", "Ed25519", key.bytes.base64URL, key.id)
        (alg, use) = ("EdDSA", "sig")
    }

    func verifying() throws -> AuditVerifyingKey? {
        guard kty == "OKP", crv == "Ed25519" else { return nil }
        guard let x, let bytes = Data(base64URL: x),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { throw AuditKeyUnreadable(name: kid ?? "a key without an ID") }
        let verifying = AuditVerifyingKey(key)
        guard kid == verifying.id else { throw AuditKeyUnreadable(name: kid ?? "a key without an ID") }
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
