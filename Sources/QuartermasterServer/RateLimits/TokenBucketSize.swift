/// The tokens that a bucket holds, and those that it gains in a minute; both at least 1.
struct TokenBucketSize: Equatable, Sendable {
    /// Larger numbers limit nothing, and these do not overflow.
    static let range = 1...1_000_000

    var burst: Int
    var perMinute: Int
}
