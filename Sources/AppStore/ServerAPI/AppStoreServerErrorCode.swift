/// An error code of the App Store Server API, known or not; its first three digits are the HTTP status.
///
/// Source: Apple, "App Store Server API", "Error codes".
public struct AppStoreServerErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `GeneralBadRequestError`; also stands for a response with status 400 and no code.
    public static let generalBadRequest = Self(rawValue: 4_000_000)
    /// `InvalidAppIdentifierError`: the bundle ID in the token is wrong.
    public static let invalidAppIdentifier = Self(rawValue: 4_000_002)
    /// `InvalidTransactionIdError`; also given without a request, for a string that is not a transaction ID.
    public static let invalidTransactionID = Self(rawValue: 4_000_006)
    /// `AccountNotFoundRetryableError`: the same request may succeed later.
    public static let accountNotFoundRetryable = Self(rawValue: 4_040_002)
    /// `AppNotFoundError`: the App Store does not know the app.
    public static let appNotFound = Self(rawValue: 4_040_003)
    /// `AppNotFoundRetryableError`: the same request may succeed later.
    public static let appNotFoundRetryable = Self(rawValue: 4_040_004)
    /// `OriginalTransactionIdNotFoundError`: the other environment may have it.
    public static let originalTransactionIDNotFound = Self(rawValue: 4_040_005)
    /// `OriginalTransactionIdNotFoundRetryableError`: the same request may succeed later.
    public static let originalTransactionIDNotFoundRetryable = Self(rawValue: 4_040_006)
    /// `ServerNotificationUrlNotFoundError`: App Store Connect has no notification URL for the environment.
    public static let serverNotificationURLNotFound = Self(rawValue: 4_040_007)
    /// `TransactionIdNotFoundError`: the other environment may have it.
    public static let transactionIDNotFound = Self(rawValue: 4_040_010)
    /// `RateLimitExceededError`: too many requests.
    public static let rateLimitExceeded = Self(rawValue: 4_290_000)
    /// `GeneralInternalError`: a failure of the App Store.
    public static let generalInternal = Self(rawValue: 5_000_000)
    /// `GeneralInternalRetryableError`: a failure of the App Store.
    public static let generalInternalRetryable = Self(rawValue: 5_000_001)

    /// A failure of the App Store, or something not known to it yet: the same request may succeed later.
    public static let retryable: Set<Self> = [
        .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIDNotFoundRetryable,
        .rateLimitExceeded, .generalInternal, .generalInternalRetryable,
    ]

    /// A wrong configuration, not a customer's mistake: of the key, the bundle ID or App Store Connect.
    public static let misconfigured: Set<Self> = [.invalidAppIdentifier, .appNotFound, .serverNotificationURLNotFound]

    /// The environment has no such thing.
    static let notFound = Set<Self>([.originalTransactionIDNotFound, .transactionIDNotFound]).union(
        [4_040_001, 4_040_008, 4_040_009, 4_040_019, 4_040_022].map(Self.init(rawValue:)))

    /// The code and its name for logs: `4040010 TransactionIdNotFound`.
    public var description: String { name.map { "\(rawValue) \($0)" } ?? "\(rawValue)" }
}
