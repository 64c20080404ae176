public import Foundation

/// What lets an administrator in. The ledger knows its SHA-256 only.
public struct AdminToken: Hashable, Sendable {
    public enum Role: String, CaseIterable, Codable, Sendable {
        /// Looks.
        case read
        /// Looks and changes.
        case write
    }

    /// Unique among the tokens that are not revoked; stands in the audit trail.
    public var name: String
    public var role: Role
    public var createdAt: Date
    /// For ever, from then on.
    public var revokedAt: Date?

    /// What may stand in a log and on a command line: letters, digits, `.`, `_` and `-` of ASCII, at most 64, a letter or
    /// digit first.
    public static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\-]{0,63}/) != nil }

    public init(name: String, role: Role, createdAt: Date, revokedAt: Date? = nil) {
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

/// The admin tokens that were ever made.
public protocol AdminTokens: Sendable {
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
