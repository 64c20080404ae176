public import AsyncHTTPClient
public import Foundation
public import InAppPurchase
public import StoreClient
import Synchronization

/// A client of the App Store Server API.
///
/// Signed data in responses is verified before it is used. The HTTP client should not follow redirects. A value whose
/// copies share tokens, rate limits and circuit breakers; safe to use from many tasks at once.
///
/// Source: Apple, "App Store Server API".
public struct AppStoreServerClient: Sendable {
    /// The base URLs before `/inApps/…`; a slash at the end is removed.
    public struct Endpoints: Sendable {
        /// The base URL of Production.
        public var production: String
        /// The base URL of the sandbox.
        public var sandbox: String

        /// Endpoints with other base URLs, such as the simulator's.
        public init(production: String, sandbox: String) {
            func base(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }
            self.production = base(production)
            self.sandbox = base(sandbox)
        }

        /// Apple's own endpoints.
        public static let apple = Endpoints(
            production: "https://api.storekit.apple.com", sandbox: "https://api.storekit-sandbox.apple.com")

        subscript(environment: Environment) -> String { environment == .production ? production : sandbox }
    }

    /// The maximum size of a response in bytes. The largest, 20 notifications, has some 400 kB; a single notification
    /// may have 256 KiB.
    public static let maximumAnswerSize = 6 << 20
    /// The maximum size of an error response in bytes; genuine ones have some 100.
    public static let maximumErrorSize = 64 << 10
    /// The time limit of one HTTP request, whatever time the caller gives. Apple's own libraries wait as long.
    public static let maximumExchangeTime = Duration.seconds(30)
    /// The maximum number of pages of one history: 10,000 transactions, while ten years of weekly renewals are 520.
    public static let maximumPages = 500

    let http: StoreHTTP
    let verifier: SignedDataVerifier
    let endpoints: Endpoints
    package let breakers: CircuitBreakers
    let pacer = RequestPacer<RateLimitKey>()
    let tokens = ServerTokens()
    package let refusedKeys = RefusedKeys()
    /// Called with the duration of each request whose key counts as refused.
    package var onRefusedKey: @Sendable (Duration) -> Void = { _ in }

    /// Creates a client with its own tokens and rate limits.
    ///
    /// - Parameters:
    ///   - verifier: verifies the signed data in responses.
    ///   - breakers: to be shared by all clients of the same endpoints.
    ///   - clock: learns the time of each response.
    public init(
        http: HTTPClient, verifier: SignedDataVerifier, endpoints: Endpoints = .apple,
        breakers: CircuitBreakers = CircuitBreakers("Server API"), clock: StoreClock? = nil
    ) {
        self.http = StoreHTTP(
            client: http, maximumAnswerSize: Self.maximumAnswerSize, maximumErrorSize: Self.maximumErrorSize,
            clock: clock)
        self.verifier = verifier
        self.endpoints = endpoints
        self.breakers = breakers
    }

    /// Starts a call for one app, with a time limit that begins now.
    ///
    /// - Parameters:
    ///   - key: the app's key; only this app's purchases are accepted in responses.
    ///   - environment: `nil` if it is not known: Production is asked first, and the sandbox if Production does not
    ///     know the transaction, or refuses the key (401 and 403, as for an app that is not sold yet). Sandbox
    ///     purchases never pass for real ones by that: every transaction names its environment, which must be the one
    ///     that returned it.
    ///   - within: the time for all requests of the call, with both environments, all pages, and the waits for rate
    ///     limits; after it, and if the task is cancelled, the failure is `unavailable`, `temporary`.
    public func asking(
        for key: AppStoreServerKey, in environment: Environment? = nil, within: Duration, at now: Date
    ) -> AppStoreServerCall {
        AppStoreServerCall(
            client: self, key: key, environment: environment, deadline: ContinuousClock.now + within, now: now)
    }
}

/// A cache with one token for each app, used until one minute before it expires.
final class ServerTokens: Sendable {
    /// One token for each app that ever had a key, so there are few.
    private let tokens = Mutex<[BundleID: ServerToken]>([:])

    /// - Throws: as ``ServerToken/init(_:at:)``.
    func token(for key: AppStoreServerKey, at now: Date) throws -> String {
        if let token = tokens.withLock({ $0[key.bundleID] }), token.serves(key, at: now) { return token.text }
        let token = try ServerToken(key, at: now)
        tokens.withLock { $0[key.bundleID] = token }
        return token.text
    }

    /// Discards a token that the App Store refused: the next request signs a new one.
    func discard(for key: AppStoreServerKey) { tokens.withLock { $0[key.bundleID] = nil } }
}

/// The apps whose keys the App Store refuses, as far as it was asked.
///
/// Production refuses the right key of an app that it does not sell yet. So a key counts as refused while both
/// environments refuse it.
package final class RefusedKeys: Sendable {
    private static let environments: Set<Environment> = [.production, .sandbox]

    /// The dates since when an environment refuses an app's key; there are few apps with a key.
    private let refusals = Mutex<[BundleID: [Environment: Date]]>([:])

    /// The apps, each with the date since when.
    package var apps: [BundleID: Date] {
        refusals.withLock { $0.filter { Self.isComplete($0.value) }.compactMapValues { $0.values.max() } }
    }

    /// Records whether an environment refused a key.
    ///
    /// - Returns: whether the key counts as refused now.
    func record(_ isRefused: Bool, of app: BundleID, in environment: Environment, at now: Date) -> Bool {
        refusals.withLock { refusals in
            var dates = refusals[app] ?? [:]
            dates[environment] = isRefused ? dates[environment] ?? now : nil
            refusals[app] = dates
            return Self.isComplete(dates)
        }
    }

    private static func isComplete(_ dates: [Environment: Date]) -> Bool { environments.isSubset(of: dates.keys) }
}
