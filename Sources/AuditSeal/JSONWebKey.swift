import Basics
import Crypto
import Foundation

/// A JSON Web Key (RFC 7517). All members but ``purpose`` are always written.
struct JSONWebKey: Codable, Sendable {
    /// Only ``kty`` is required (RFC 7517 §4); the other members depend on the key type.
    var kty: String
    var crv: String?
    var x: String?
    var kid: String?
    var alg: String?
    var use: String?
    /// `nil`, and left out, for keys of checkpoints.
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
    /// Decodes base64url without padding (RFC 4648 §5).
    fileprivate init?(base64URL text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
