package import Foundation

/// The admin tokens, including revoked ones.
package protocol AdminTokenLedger: Sendable {
    /// Creates a token.
    ///
    /// - Parameter digest: the SHA-256 of the token.
    /// - Throws: ``LedgerRefusal/nameTaken`` if a token of this name is in force.
    func createAdminToken(_ token: AdminToken, digest: Data, by actor: AuditActor) async throws

    /// Returns the token in force with this SHA-256, or `nil`.
    func adminToken(digest: Data) async throws -> AdminToken?

    /// Returns the token in force with this name, or `nil`.
    func adminToken(named name: String) async throws -> AdminToken?

    /// Returns all tokens, oldest first, including revoked ones.
    func adminTokens() async throws -> [AdminToken]

    /// Revokes the token of this name.
    /// - Returns: whether one was in force; the second time `false`.
    func revokeAdminToken(named name: String, by actor: AuditActor, at date: Date) async throws -> Bool
}
