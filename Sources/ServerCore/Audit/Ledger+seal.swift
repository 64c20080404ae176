import AuditSeal
import Crypto
package import Foundation
package import Ledger
import ServerHTTP

extension Ledger {
    /// Seals all rows that are not sealed, and signs a checkpoint: for commands whose act should be sealed when they
    /// end, whether a server is running or not.
    ///
    /// - Returns: the checkpoint; `nil` if there was nothing to seal and the last seal has a checkpoint.
    /// - Throws: `StoredKeyError`, and what the ledger throws.
    @discardableResult package func sealTrail(at date: Date) async throws -> Checkpoint? {
        let keys = try await AuditKeys.load(from: self, at: date) {
            try Curve25519.Signing.PrivateKey(rawRepresentation: systemRandomBytes(32))
        }
        return try await Sealer(self, key: keys.newest).seal(at: date, isLast: true)
    }
}
