import Foundation

/// The newest that the server said about a bundle, by which an older word is noticed.
struct RememberedVersion: Sendable, Equatable, Codable {
    /// The version that was the newest.
    let version: String
    /// When it was.
    let at: Date
}
