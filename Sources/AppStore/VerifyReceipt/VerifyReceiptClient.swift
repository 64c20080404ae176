public import AsyncHTTPClient
public import Foundation
import InAppPurchase
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
public import StoreClient

/// A client of the App Store's verifyReceipt, for receipts that are not verified locally.
///
/// The endpoint is deprecated since 2023 and still works. Its responses are not signed: TLS is the only proof, so the
/// endpoints must be `https` outside of tests, and the HTTP client should not follow redirects.
public struct VerifyReceiptClient: Sendable {
    /// The URLs of verifyReceipt.
    public struct Endpoints: Sendable {
        /// The URL of Production.
        public var production: String
        /// The URL of the sandbox.
        public var sandbox: String

        public init(production: String, sandbox: String) {
            self.production = production
            self.sandbox = sandbox
        }

        /// Apple's own endpoints.
        public static let apple = Endpoints(
            production: "https://buy.itunes.apple.com/verifyReceipt",
            sandbox: "https://sandbox.itunes.apple.com/verifyReceipt")
    }

    /// The maximum size of a response in bytes. That to a receipt with ten years of weekly renewals has about 2 MB.
    public static let maximumAnswerSize = 16 << 20
    /// The maximum time for a verification, whatever time the caller gives.
    public static let maximumExchangeTime = Duration.seconds(120)

    private let http: StoreHTTP
    private let endpoints: Endpoints
    package let breakers: CircuitBreakers

    /// - Parameters:
    ///   - breakers: to be shared by all clients of the same endpoints.
    ///   - clock: learns the time of each response.
    public init(
        http: HTTPClient, endpoints: Endpoints = .apple, breakers: CircuitBreakers = CircuitBreakers("verifyReceipt"),
        clock: StoreClock? = nil
    ) {
        self.http = StoreHTTP(
            client: http, maximumAnswerSize: Self.maximumAnswerSize, maximumErrorSize: 0, clock: clock)
        self.endpoints = endpoints
        self.breakers = breakers
    }

    /// Verifies a receipt with the App Store: Production is asked first, the sandbox only if Production says that the
    /// receipt is the sandbox's (status 21007), and there is no third request.
    ///
    /// - Parameters:
    ///   - content: an app receipt or a transaction receipt, in base64 as the client sent it.
    ///   - secret: the app's shared secret. Receipts with auto-renewable subscriptions need it.
    ///   - within: the time for both requests together; after it, and if the task is cancelled, the result is
    ///     `unavailable`, `temporary`.
    ///   - now: the date of evidence if the response has none.
    public func verify(
        _ content: String, secret: String?, within: Duration, at now: Date
    ) async -> VerificationResult<AppStoreAnswer> {
        guard let receipt = Data(receiptBase64: content), let body = try? Self.body(receipt, secret: secret) else {
            return .rejected(ReceiptRejection(.malformed, "not base64"))
        }
        let deadline = ContinuousClock.now + min(within, Self.maximumExchangeTime)
        return await ask(.production, body: body, mayHop: true, until: deadline, at: now)
    }

    private static func body(_ receipt: Data, secret: String?) throws -> Data {
        let encoder = JSONEncoder()
        // With escapes every 64th character would take twice its place, and the App Store accepts no more than 3 MiB.
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(
            ["receipt-data": receipt.base64EncodedString(), "password": secret].compactMapValues { $0 })
    }

    private func ask(
        _ endpoint: Environment, body: Data, mayHop: Bool, until deadline: ContinuousClock.Instant, at now: Date
    ) async -> VerificationResult<AppStoreAnswer> {
        let breaker = breakers[endpoint]
        guard breaker.admits(at: now) else { return .unavailable(breaker.unavailability) }
        let url = endpoint == .sandbox ? endpoints.sandbox : endpoints.production
        let exchange = await http.exchange(
            Self.request(body, to: url), within: ContinuousClock.now.duration(to: deadline))
        let reading = VerifyReceiptReading(exchange)
        breaker.record(success: reading.isUsable, at: now)
        switch reading {
        case .noAnswer(let result, _): return result
        case .answer(let answer):
            if mayHop, let other = answer.otherEndpoint, other != endpoint {
                return await ask(other, body: body, mayHop: false, until: deadline, at: now)
            }
            return answer.result(from: endpoint, at: now)
        }
    }

    private static func request(_ body: Data, to url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(data: body))
        return request
    }
}
