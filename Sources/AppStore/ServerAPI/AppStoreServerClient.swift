public import AsyncHTTPClient
public import Foundation
public import InAppPurchase

/// Asks the App Store Server API about purchases, and tells it what the server does about them.
///
/// Signed data in its answers is verified before anything in it is believed. The HTTP client should not follow
/// redirects. A value whose copies share tokens, rate limits and breakers; safe to use from many tasks at once.
///
/// Source: Apple, "App Store Server API".
public struct AppStoreServerClient: Sendable {
    /// Where `/inApps/…` begins, without a slash at the end.
    public struct Endpoints: Sendable {
        public var production: String
        public var sandbox: String

        public init(production: String, sandbox: String) {
            func base(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }
            self.production = base(production)
            self.sandbox = base(sandbox)
        }

        public static let apple = Endpoints(
            production: "https://api.storekit.apple.com", sandbox: "https://api.storekit-sandbox.apple.com")

        subscript(environment: Environment) -> String { environment == .production ? production : sandbox }
    }

    /// The largest answer, 20 notifications, has some 400 kB; a single one may have 256 KiB.
    public static let maximumAnswerSize = 6 << 20
    /// An error has some 100 bytes.
    public static let maximumErrorSize = 64 << 10
    /// Of one request, whatever time the caller gives. Apple's own libraries wait as long.
    public static let maximumExchangeTime = Duration.seconds(30)
    /// Of one history: 10 000 transactions, as ten years of weekly renewals are 520.
    public static let maximumPages = 500

    let http: AppStoreHTTP
    let verifier: SignedDataVerifier
    let endpoints: Endpoints
    let breakers: CircuitBreakers
    let pacer = RequestPacer()
    let tokens = ServerTokens()

    /// - Parameters:
    ///   - verifier: whom to believe what is signed.
    ///   - breakers: to be the same for all clients of the same endpoints.
    public init(
        http: HTTPClient, verifier: SignedDataVerifier, endpoints: Endpoints = .apple,
        breakers: CircuitBreakers = CircuitBreakers("Server API")
    ) {
        self.http = AppStoreHTTP(
            client: http, maximumAnswerSize: Self.maximumAnswerSize, maximumErrorSize: Self.maximumErrorSize)
        self.verifier = verifier
        self.endpoints = endpoints
        self.breakers = breakers
    }

    /// What is to be asked for one app, in a time that begins now.
    ///
    /// - Parameters:
    ///   - key: of the app; only its purchases are believed.
    ///   - environment: nil where it is not known: Production is asked first, and Sandbox where Production does not know
    ///     the transaction (codes 4040005 and 4040010). Test money never answers for real money by that: every
    ///     transaction says by itself which it is, and must be of the environment that gave it.
    ///   - within: the time for everything that is asked of it, with both hops, all pages, and the waits for the
    ///     store's rate limits; then the failure is `unavailable`, `temporary`, as it is where the task is cancelled.
    public func asking(
        for key: AppStoreServerKey, in environment: Environment? = nil, within: Duration, at now: Date
    ) -> AppStoreServerCall {
        AppStoreServerCall(
            client: self, key: key, environment: environment, deadline: ContinuousClock.now + within, now: now)
    }
}
