/// The key of a store's rate limit: requests with the same key are counted together.
package protocol PacingKey: Hashable, Sendable {
    /// The maximum burst: how long requests may come without a wait, as many as the limit allows in that time.
    static var burst: Duration { get }
    /// The time between two requests if many wait.
    var interval: Duration { get }
}

extension PacingKey {
    /// How far ahead of an even pace requests may be.
    package var tolerance: Duration { Self.burst - interval }
}
