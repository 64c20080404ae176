import AsyncHTTPClient
import Foundation
import Hummingbird
import InAppPurchase
import StoreClient
import Synchronization
import Testing

@testable import AppStore

/// A server that answers in the store's place, and records what it was asked.
final class StoreServer: Sendable {
    enum Answer: Sendable {
        case json(JSONValue)
        case http(Int)
        /// The text this many times over.
        case text(String, times: Int = 1)
        /// Accepts the request and sends nothing until ``release()``.
        case silence
        /// The head of a response, half a body, and then nothing until ``release()``.
        case stall
        case redirect(to: String)
    }

    struct Call: Sendable {
        var endpoint: InAppPurchase.Environment
        var method: String
        var contentType: String?
        var body: Data
    }

    private let answers: [InAppPurchase.Environment: Answer]
    private let received = Mutex<[Call]>([])
    private let gate = AsyncStream.makeStream(of: Void.self)
    private let arrival = AsyncStream.makeStream(of: Void.self)

    init(production: Answer, sandbox: Answer = .http(500)) { answers = [.production: production, .sandbox: sandbox] }

    var calls: [Call] { received.withLock { $0 } }

    /// Waits for the next request.
    func nextCall() async { for await _ in arrival.stream { return } }

    /// Ends the silent answers.
    func release() { gate.continuation.finish() }

    /// Runs `test` with a client of this server.
    func run<Value: Sendable>(
        breakers: CircuitBreakers = CircuitBreakers("test"),
        _ test: @Sendable (VerifyReceiptClient) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        for (path, environment) in [("production", InAppPurchase.Environment.production), ("sandbox", .sandbox)] {
            router.on("\(path)/verifyReceipt", method: .post) { request, _ in
                try await self.answer(request, at: environment)
            }
        }
        let base = "http://127.0.0.1:\(try await serve(router.buildResponder()))"
        defer { release() }
        return try await test(
            VerifyReceiptClient(
                http: .shared,
                endpoints: .init(
                    production: "\(base)/production/verifyReceipt", sandbox: "\(base)/sandbox/verifyReceipt"),
                breakers: breakers))
    }

    private func answer(_ request: Request, at environment: InAppPurchase.Environment) async throws -> Response {
        let body = try await request.body.collect(upTo: 8 << 20)
        let call = Call(
            endpoint: environment, method: request.method.rawValue, contentType: request.headers[.contentType],
            body: Data(body.readableBytesView))
        received.withLock { $0.append(call) }
        arrival.continuation.yield()
        switch answers[environment] {
        case .json(let json): return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: try json.data)))
        case .http(let code): return Response(status: .init(code: code))
        case .text(let text, let times):
            let text = String(repeating: text, count: times)
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: text)))
        case .redirect(let url): return Response(status: .seeOther, headers: [.location: url])
        case .stall: return Response(status: .ok, body: stalling)
        case .silence, nil:
            await silence()
            return Response(status: .ok)
        }
    }

    private var stalling: ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "{\"status\": 0, "))
            await self.silence()
            try await writer.finish(nil)
        }
    }

    private func silence() async { for await _ in gate.stream {} }
}
