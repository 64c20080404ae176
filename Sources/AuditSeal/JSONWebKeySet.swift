package import Crypto

/// The verifying keys as a JWK Set (RFC 7517 §5) of Ed25519 keys (RFC 8037 §2).
package struct JSONWebKeySet: Codable, Sendable {
    var keys: [JSONWebKey]

    package init(_ keys: [AuditVerifyingKey]) { self.keys = keys.map { JSONWebKey($0) } }

    /// Adds keys that do not verify checkpoints.
    ///
    /// - Parameter purpose: their use; a member of our own, which others ignore (RFC 7517 §4).
    package mutating func add(_ keys: [Curve25519.Signing.PublicKey], for purpose: String) {
        self.keys += keys.map { JSONWebKey(AuditVerifyingKey($0), purpose: purpose) }
    }

    /// The keys that verify checkpoints. Keys of other types (RFC 7517 §5) and for other purposes are left out.
    ///
    /// - Throws: ``AuditKeyError`` for a key whose ID is not the thumbprint of its bytes.
    package func verifying() throws -> [AuditVerifyingKey] { try keys.compactMap { try $0.verifying() } }
}
