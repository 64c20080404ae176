import Foundation

/// The content that a download which has not ended needs. It is not removed when the app starts again.
struct UnfinishedDownload: Sendable, Codable {
    let bundle: String
    let content: Set<ContentHash>
    let at: Date
}
