import Foundation

/// The newest version of a bundle that the server stated, by which an older statement is detected.
struct RememberedVersion: Sendable, Equatable, Codable {
    /// The version that was the newest.
    let version: String
    /// The time of the newest statement.
    let at: Date
}
