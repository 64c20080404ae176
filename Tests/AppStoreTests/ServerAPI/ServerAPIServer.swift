import AsyncHTTPClient
import Crypto
import Foundation
import Hummingbird
import InAppPurchase
import StoreClient
import Synchronization
import TestSupport
import Testing

@testable import AppStore

/// Answers in place of the App Store Server API, and records what it was asked.
final class ServerAPIServer: Sendable {
    struct Call: Sendable {
        var environment: InAppPurchase.Environment
        var method: String
        /// From `/inApps` on.
        var path: String
        /// As it came, still encoded.
        var query: String?
        var headers: HTTPFields
        var body: Data
    }

    struct Answer: Sendable {
        var status = 200
        var headers: HTTPFields = [:]
        var body = ""

        static func json(_ json: JSONValue, status: Int = 200) -> Answer {
            Answer(status: status, body: (try? json.data).map { String(decoding: $0, as: UTF8.self) } ?? "")
        }

        static func error(_ code: Int, headers: HTTPFields = [:]) -> Answer {
            var answer = json(["errorCode": .integer(code), "errorMessage": "An error."], status: code / 10_000)
            answer.headers = headers
            return answer
        }
    }

    private let answer: @Sendable (Call) throws -> Answer
    private let received = Mutex<[Call]>([])

    init(_ answer: @escaping @Sendable (Call) throws -> Answer) { self.answer = answer }

    /// The same answer to everything.
    convenience init(_ answer: Answer) { self.init { _ in answer } }

    var calls: [Call] { received.withLock { $0 } }

    /// Runs `test` with a client of this server, which trusts `authority`.
    func run<Value: Sendable>(
        trusting authority: SigningAuthority? = nil, breakers: CircuitBreakers = CircuitBreakers("Server API"),
        _ test: @Sendable (AppStoreServerClient) async throws -> Value
    ) async throws -> Value {
        let anchors = try authority?.anchors ?? .apple()
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await self.respond(to: request) }
        let base = "http://127.0.0.1:\(try await serve(responder))"
        return try await test(
            AppStoreServerClient(
                http: .shared, verifier: SignedDataVerifier(anchors: anchors),
                endpoints: .init(production: "\(base)/production", sandbox: "\(base)/sandbox/"), breakers: breakers))
    }

    /// How a call to finish a transaction fails; nil if it does not.
    func failureToFinish(
        in environment: InAppPurchase.Environment? = .production, within limit: Duration = .seconds(60),
        breakers: CircuitBreakers = CircuitBreakers("test")
    ) async throws -> AppStoreServerError? {
        try await run(breakers: breakers) { client in
            let call = try client.asking(in: environment, within: limit)
            return await failure { try await call.finish("2000000847061981") }
        }
    }

    private func respond(to request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 20)
        let isSandbox = request.uri.path.hasPrefix("/sandbox/")
        let call = Call(
            environment: isSandbox ? .sandbox : .production, method: request.method.rawValue,
            path: String(request.uri.path.dropFirst(isSandbox ? 8 : 11)), query: request.uri.query,
            headers: request.headers, body: Data(body.readableBytesView))
        received.withLock { $0.append(call) }
        let answer = try answer(call)
        return Response(
            status: .init(code: answer.status), headers: answer.headers,
            body: .init(byteBuffer: ByteBuffer(string: answer.body)))
    }
}

extension AppStoreServerKey {
    /// A key of its own for each call.
    static func hangman() throws -> AppStoreServerKey {
        try AppStoreServerKey(
            issuerID: issuer, keyID: "2X9R4HXF34", bundleID: "com.example.hangman",
            pem: P256.Signing.PrivateKey().pemRepresentation)
    }
}

extension AppStoreServerClient {
    func asking(
        in environment: InAppPurchase.Environment? = nil, within limit: Duration = .seconds(300), at now: Date = .t0
    ) throws -> AppStoreServerCall {
        asking(for: try .hangman(), in: environment, within: limit, at: now)
    }
}

extension AppStoreServerError {
    /// For tables: `notFound`, `refused`, or the cause.
    var outcome: String {
        switch self {
        case .notFound: "notFound"
        case .refused: "refused"
        case .unavailable(let unavailability): unavailability.cause.rawValue
        }
    }
}

/// The failure, or nil if there is none.
func failure<Value>(_ work: () async throws -> Value) async -> AppStoreServerError? {
    do {
        _ = try await work()
        return nil
    } catch {
        #expect(error is AppStoreServerError)
        return error as? AppStoreServerError
    }
}
