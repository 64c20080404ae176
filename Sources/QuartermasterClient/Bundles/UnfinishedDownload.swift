import Foundation

/// The content that an unfinished download needs. It is not removed when the app starts again.
struct UnfinishedDownload: Sendable, Codable {
    let bundle: String
    let content: Set<ContentHash>
    let at: Date
}
