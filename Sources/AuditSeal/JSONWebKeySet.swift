package import Crypto

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
