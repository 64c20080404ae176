import Foundation

/// Whether an account is blocked.
struct StandingBody: Encodable {
    var account: String
    /// Omitted if it is not blocked.
    var blockedAt: Date?
}
