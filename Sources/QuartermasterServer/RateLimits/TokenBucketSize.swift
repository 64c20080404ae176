/// How many tokens a bucket holds, and how many it gains in a minute; both at least 1.
struct TokenBucketSize: Equatable, Sendable {
    /// Beyond these nothing is limited, and nothing overflows.
    static let range = 1...1_000_000

    var burst: Int
    var perMinute: Int
}
