import AuditSeal
package import Basics
package import Crypto
import Foundation
import StrictJSON

/// A signing key for manifests with its number.
package typealias ManifestKey = NumberedKey<Curve25519.Signing.PrivateKey>

extension ManifestKey {
    private struct Header: Encodable {
        var alg = "EdDSA"
        var kid: String
        var typ: String
    }

    /// The key's thumbprint, as for the keys of checkpoints (RFC 7638 §3, RFC 8037 appendix A.3).
    package var id: String { AuditVerifyingKey(secret.publicKey).id }

    /// Signs with Ed25519: a JWS in compact serialization (RFC 7515 §7.1, RFC 8037 §3.1).
    ///
    /// - Parameter type: the header's `typ`, so that a signature is not accepted for another kind of message (RFC 8725
    ///   §3.11).
    func sign(_ payload: Data, type: String) throws -> String {
        let signed = try "\(JSONEncoder.canonical.encode(Header(kid: id, typ: type)).base64URL).\(payload.base64URL)"
        return "\(signed).\(try secret.signature(for: Data(signed.utf8)).base64URL)"
    }
}
