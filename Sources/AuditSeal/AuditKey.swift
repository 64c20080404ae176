package import Crypto
package import Foundation
package import InAppPurchase

/// What checkpoints are signed with, by its ID.
package struct AuditKey: Sendable {
    let secret: Curve25519.Signing.PrivateKey

    package init(_ secret: Curve25519.Signing.PrivateKey) { self.secret = secret }

    package var verifying: AuditVerifyingKey { AuditVerifyingKey(secret.publicKey) }

    /// Signs where the chain stands. The same again gives a checkpoint that is as good.
    package func checkpoint(of seal: Seal, at date: Date) throws -> Checkpoint {
        var checkpoint = Checkpoint(
            position: seal.position, hash: seal.hash, date: date.wholeMilliseconds, key: verifying.id,
            signature: Data())
        checkpoint.signature = try secret.signature(for: checkpoint.signedBytes)
        return checkpoint
    }
}

/// What checkpoints are checked with. It is public.
package struct AuditVerifyingKey: Sendable {
    let key: Curve25519.Signing.PublicKey

    package init(_ key: Curve25519.Signing.PublicKey) { self.key = key }

    /// 32 bytes (RFC 8032 §5.1.5).
    var bytes: Data { key.rawRepresentation }

    /// The key's thumbprint (RFC 7638 §3, RFC 8037 appendix A.3): of the same key always the same.
    package var id: String {
        let members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(bytes.base64URL)"}"#
        return Data(SHA256.hash(data: Data(members.utf8))).base64URL
    }

    func signed(_ checkpoint: Checkpoint) -> Bool {
        key.isValidSignature(checkpoint.signature, for: checkpoint.signedBytes)
    }
}

extension Checkpoint {
    fileprivate var signedBytes: Data {
        var bytes = CanonicalBytes(for: "quartermaster audit checkpoint v1")
        bytes.add(position)
        bytes.add(hash)
        bytes.add(date.milliseconds)
        bytes.add(key)
        return bytes.data
    }
}
