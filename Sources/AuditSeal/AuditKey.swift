package import Crypto
package import Foundation
import InAppPurchase
package import Ledger

/// A signing key for checkpoints, with its ID.
package struct AuditKey: Sendable {
    let secret: Curve25519.Signing.PrivateKey

    package init(_ secret: Curve25519.Signing.PrivateKey) { self.secret = secret }

    package var verifying: AuditVerifyingKey { AuditVerifyingKey(secret.publicKey) }

    /// Signs the position of the chain. Another signature of the same position is equally valid.
    package func checkpoint(of seal: Seal, at date: Date) throws -> Checkpoint {
        var checkpoint = Checkpoint(
            position: seal.position, hash: seal.hash, date: date.wholeMilliseconds, key: verifying.id,
            signature: Data())
        checkpoint.signature = try secret.signature(for: checkpoint.signedBytes)
        return checkpoint
    }
}

extension Checkpoint {
    var signedBytes: Data {
        var bytes = CanonicalBytes(for: "quartermaster audit checkpoint v1")
        bytes.add(position)
        bytes.add(hash)
        bytes.add(date.milliseconds)
        bytes.add(key)
        return Data(bytes.bytes)
    }
}

/// The value stored under this name is not a valid key.
package struct AuditKeyError: Error, CustomStringConvertible {
    package var name: String

    package var description: String { "\(name) is no key of the audit trail" }
}
