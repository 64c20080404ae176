package import Foundation

/// The admin tokens that were ever made.
package protocol AdminTokens: Sendable {
    /// - Parameter digest: the SHA-256 of the token's text.
    /// - Throws: ``LedgerRefusal/nameTaken`` where a token of this name is in force.
    func createAdminToken(_ token: AdminToken, digest: Data, by actor: AuditActor) async throws

    /// The token in force with this SHA-256, or nil.
    func adminToken(digest: Data) async throws -> AdminToken?

    /// All, oldest first, revoked ones among them.
    func adminTokens() async throws -> [AdminToken]

    /// Revokes the token of this name.
    /// - Returns: whether one was in force; the second time false.
    func revokeAdminToken(named name: String, by actor: AuditActor, at date: Date) async throws -> Bool
}
