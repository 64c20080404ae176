import Foundation

/// An answer of the server as it came, with its entity tag.
struct CachedAnswer: Sendable, Codable {
    var etag: String?
    var body: Data
    /// The time of the last request for it, by ``ServerTime``.
    var checkedAt: Date
}
