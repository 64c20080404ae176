import Foundation

/// An answer of the server as it came, with its entity tag.
struct CachedAnswer: Sendable, Codable {
    var etag: String?
    var body: Data
    /// When it was asked for last, by ``ServerTime``.
    var checkedAt: Date
}
