import Basics
package import Crypto
import Foundation
import Ledger

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
