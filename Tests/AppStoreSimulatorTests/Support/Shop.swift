import Basics
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import Logging
import NIOCore
import TestSupport
import Testing

@testable import AppStoreSimulator

/// The keys are made once, since an RSA key takes its time.
private let keys = Task {
    let store = MemoryKeyValueStore()
    _ = try await AppStoreSimulator.open(store) { TestClock.start }
    return await store.values
}

/// A simulated store, and a client that talks to it through its routes.
struct Shop {
    struct Answer {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var body: Data

        var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null }
    }

    static let app = "com.example.hangman"

    let store: MemoryKeyValueStore
    let clock: TestClock
    let simulator: AppStoreSimulator
    let client: any TestClientProtocol

    /// Opens a store, with nothing bought unless one is given, and lets `body` talk to it.
    static func open<Value>(
        _ store: MemoryKeyValueStore? = nil, through: (any KeyValueStore)? = nil, clock: TestClock = TestClock(),
        draw: @escaping @Sendable () -> Int = { Int.random(in: IdentifierSource.range) },
        appAppleID: Int? = nil, notifications: Int = Outbox.length, over connections: TestingSetup = .router,
        _ body: @Sendable (Shop) async throws -> Value
    ) async throws -> Value {
        let kept = if let store { store } else { MemoryKeyValueStore(try await keys.value) }
        let simulator = try await AppStoreSimulator.open(
            through ?? kept, appAppleID: { _ in appAppleID }, draw: draw, notifications: notifications,
            time: try await SimulatorClock(kept) { clock.now })
        let application = simulator.buildApplication(host: "127.0.0.1", port: 0, logger: Logger(label: "test"))
        return try await application.test(connections) { client in
            try await body(Shop(store: kept, clock: clock, simulator: simulator, client: client))
        }
    }

    func send(_ method: HTTPRequest.Method, _ uri: String, _ json: JSONValue? = nil) async throws -> Answer {
        try await send(method, uri, body: json.map { try JSONEncoder().encode($0) })
    }

    func send(_ method: HTTPRequest.Method, _ uri: String, body: Data?) async throws -> Answer {
        try await send(method, uri, headers: [:], body.map { ByteBuffer(bytes: $0) })
    }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> Answer {
        let answer = try await client.execute(uri: uri, method: method, headers: headers, body: body) { response in
            Answer(status: response.status, headers: response.headers, body: Data(response.body.readableBytesView))
        }
        try ExchangeRecorder.record(
            ExchangeRecorder.Exchange(
                with: .simulator, in: Test.current.map { "\($0.id)" } ?? "", method.rawValue, uri,
                headers: headers.map { ($0.name.canonicalName, $0.value) },
                body: Data((body ?? ByteBuffer()).readableBytesView), status: answer.status.code,
                answer: (answer.headers.map { ($0.name.canonicalName, $0.value) }, answer.body)))
        return answer
    }

    /// Buys something, and returns the members of the answer.
    func buy(
        _ type: String, _ product: String = "product", _ more: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        let order: [String: JSONValue] = [
            "bundleID": .string(Self.app), "productID": .string(product), "type": .string(type),
        ]
        let answer = try await send(.post, "/simulator/v1/purchases", .object(order.merging(more) { $1 }))
        try #require(answer.status == .created)
        return answer.json
    }

    /// Performs an act on a subscription, or refunds a transaction (`transactions/…/refund`).
    func act(_ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let answer = try await send(.post, "/simulator/v1/\(path)", body)
        try #require(answer.status == .ok)
        return answer.json
    }

    func verifyReceipt(
        _ receipt: JSONValue, in environment: String = "production", _ more: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        let body = JSONValue.object(["receipt-data": receipt].merging(more) { $1 })
        let answer = try await send(.post, "/\(environment)/verifyReceipt", body)
        try #require(answer.status == .ok)
        return answer.json
    }
}
