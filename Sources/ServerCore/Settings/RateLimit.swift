import ServerHTTP

/// The rate limits, with the key that each is counted by.
enum RateLimit: String, CaseIterable, Sendable {
    /// Receipts that an account sends; each one of a restore counts.
    case receipts
    /// Accounts that an address creates.
    case accounts
    /// Sessions of an account that are opened with its recovery code.
    case sessions
    /// Wrong recovery codes from an address.
    case recoveryCodes
    /// Wrong admin tokens from an address.
    case adminTokens
    /// Forged notifications from an address.
    case notifications
    /// Reports of products that the store did not know, from an address.
    case unavailableProducts

    /// The default size of the token bucket.
    var standard: TokenBucketSize {
        switch self {
        // Six whole restores at once; a player who buys without a pause needs a second for each.
        case .receipts: TokenBucketSize(burst: 600, perMinute: 120)
        // Thousands of players share an address of their carrier, and a game's first day brings them together.
        case .accounts: TokenBucketSize(burst: 1_000, perMinute: 600)
        // Somebody with ten devices signs in on each of them several times.
        case .sessions: TokenBucketSize(burst: 60, perMinute: 10)
        // Ten in the first minute, then one a minute: nobody types faster, and 120 bits cannot be guessed at that rate.
        case .recoveryCodes: TokenBucketSize(burst: 10, perMinute: 1)
        // A forgotten script with a revoked token, every ten seconds, must not lock out its colleagues.
        case .adminTokens: TokenBucketSize(burst: 10, perMinute: 10)
        // Each costs a few signature verifications; the App Store itself forges none.
        case .notifications: TokenBucketSize(burst: 100, perMinute: 60)
        // An app asks StoreKit when it starts. Nothing depends on a report that is refused.
        case .unavailableProducts: TokenBucketSize(burst: 100, perMinute: 60)
        }
    }

    var words: String {
        switch self {
        case .receipts: "receipts from this account"
        case .accounts: "new accounts from this address"
        case .sessions: "new sessions of this account"
        case .recoveryCodes: "wrong recovery codes"
        case .adminTokens: "wrong admin tokens"
        case .notifications: "forged notifications from this address"
        case .unavailableProducts: "reports of unavailable products from this address"
        }
    }
}
