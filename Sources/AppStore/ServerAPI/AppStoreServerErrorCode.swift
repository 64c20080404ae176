/// A code of the App Store Server API, also one that is not known here; its first three digits are the HTTP status.
///
/// Source: Apple, "App Store Server API", "Error codes".
public struct AppStoreServerErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let generalBadRequest = Self(rawValue: 4_000_000)
    public static let invalidAppIdentifier = Self(rawValue: 4_000_002)
    public static let invalidTransactionID = Self(rawValue: 4_000_006)
    public static let accountNotFoundRetryable = Self(rawValue: 4_040_002)
    public static let appNotFound = Self(rawValue: 4_040_003)
    public static let appNotFoundRetryable = Self(rawValue: 4_040_004)
    public static let originalTransactionIDNotFound = Self(rawValue: 4_040_005)
    public static let originalTransactionIDNotFoundRetryable = Self(rawValue: 4_040_006)
    public static let serverNotificationURLNotFound = Self(rawValue: 4_040_007)
    public static let transactionIDNotFound = Self(rawValue: 4_040_010)
    public static let rateLimitExceeded = Self(rawValue: 4_290_000)
    public static let generalInternal = Self(rawValue: 5_000_000)
    public static let generalInternalRetryable = Self(rawValue: 5_000_001)

    /// The store's trouble, or not known to it yet: the same request may be answered later.
    public static let retryable: Set<Self> = [
        .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIDNotFoundRetryable,
        .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]

    /// Nothing that a customer did: key, bundle ID or App Store Connect are set up wrong.
    public static let misconfigured: Set<Self> = [.invalidAppIdentifier, .appNotFound, .serverNotificationURLNotFound]

    /// It may be one of the other environment.
    static let elsewhere: Set<Self> = [.originalTransactionIDNotFound, .transactionIDNotFound]

    /// The store has no such thing, and will not have it.
    static let notFound: Set<Self> = elsewhere.union(
        [4_040_001, 4_040_008, 4_040_009, 4_040_019, 4_040_022].map(Self.init(rawValue:)))

    /// For logs: `4040010 TransactionIdNotFound`.
    public var description: String { name.map { "\(rawValue) \($0)" } ?? "\(rawValue)" }
}
