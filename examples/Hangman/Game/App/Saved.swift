package import Foundation

/// The state that the game keeps from one start to the next. Purchases and downloads are kept by the client.
package struct Saved: Sendable, Equatable, Codable {
    /// The bundle that words are taken from; `nil` for the built-in words.
    package var pack: String?
    /// The bundle whose colours are used; `nil` for the terminal's own.
    package var theme: String?
    package var game: Game?
    package var won = 0
    package var lost = 0
    /// The key of a hint that is being paid: asked again with it, the server takes it once.
    package var hintKey: UUID?
    /// Bundles whose download has begun and not ended, and whether it is paused.
    package var downloads: [String: Bool] = [:]

    package init() {}
}
