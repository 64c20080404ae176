package import Foundation

/// A token that authenticates an administrator. The ledger stores its SHA-256 only.
package struct AdminToken: Hashable, Sendable {
    /// The rights of the holder; each role may do what those before it may.
    package enum Role: String, CaseIterable, Codable, Comparable, Sendable {
        /// May read.
        case read
        /// May also act on accounts and what they own.
        case support
        /// May change everything.
        case write

        package static func < (first: Role, second: Role) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .read: 0
            case .support: 1
            case .write: 2
            }
        }
    }

    /// The name, unique among the tokens that are not revoked; recorded in the audit trail.
    package var name: String
    package var role: Role
    /// The apps that it is for.
    package var reach: AdminReach
    package var createdAt: Date
    /// The date of its revocation, which is permanent; `nil` if it is in force.
    package var revokedAt: Date?

    /// Returns whether the string can be a name, safe in logs and on command lines: letters, digits, `.`, `_` and `-`
    /// of ASCII, at most 64, beginning with a letter or digit.
    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._\-]{0,63}/) != nil
    }

    package init(name: String, role: Role, reach: AdminReach = .everything, createdAt: Date, revokedAt: Date? = nil) {
        self.name = name
        self.role = role
        self.reach = reach
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}
