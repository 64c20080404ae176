package import Foundation

/// What lets an administrator in. The ledger knows its SHA-256 only.
package struct AdminToken: Hashable, Sendable {
    package enum Role: String, CaseIterable, Codable, Sendable {
        /// Looks.
        case read
        /// Looks and changes.
        case write
    }

    /// Unique among the tokens that are not revoked; stands in the audit trail.
    package var name: String
    package var role: Role
    package var createdAt: Date
    /// For ever, from then on.
    package var revokedAt: Date?

    /// What may stand in a log and on a command line: letters, digits, `.`, `_` and `-` of ASCII, at most 64, a letter or
    /// digit first.
    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\-]{0,63}/) != nil
    }

    package init(name: String, role: Role, createdAt: Date, revokedAt: Date? = nil) {
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}
