import Foundation

/// Whether an account is shut out.
struct StandingBody: Encodable {
    var account: String
    /// Left out where it is not blocked.
    var blockedAt: Date?
}
