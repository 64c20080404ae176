import AsyncHTTPClient
import Foundation
import InAppPurchase
import StoreClient
import Testing

@testable import AppStore

/// Which answers open the breaker, through real exchanges.
@Suite struct VerifyReceiptBreakerTests {
    private static let content = VerifyReceiptClientTests.content

    /// Asks as often as opens a breaker, and once more; returns how often the server was asked.
    private func calls(_ answer: StoreServer.Answer) async throws -> Int {
        let server = StoreServer(production: answer)
        try await server.run { client in
            for _ in 0...CircuitBreaker.failuresToOpen {
                _ = await client.verify(Self.content, secret: nil, within: .seconds(120), at: .t0)
            }
        }
        return server.calls.count
    }

    @Test(
        arguments: [
            .http(500), .http(503), .http(404), .http(302), .text(""), .text("<html>"), .text("{}"),
            .json(["status": 21005]), .json(["status": 21009]), .json(["status": 21100]),
            .json(["status": 21199, "is-retryable": true]),
        ] as [StoreServer.Answer])
    func `Answers of an outage open the circuit breaker of verifyReceipt`(_ answer: StoreServer.Answer) async throws {
        #expect(try await calls(answer) == CircuitBreaker.failuresToOpen)
    }

    @Test func `The circuit breaker opens where nobody listens`() async {
        let nobody = "http://127.0.0.1:1/"
        let breakers = CircuitBreakers("test")
        let client = VerifyReceiptClient(
            http: .shared, endpoints: .init(production: nobody, sandbox: nobody), breakers: breakers)
        var asked = 0
        // A busy machine may use up the time before it asks: such a call says nothing about the store.
        while breakers.production.state == .closed, asked < 20 * CircuitBreaker.failuresToOpen {
            _ = await client.verify(Self.content, secret: nil, within: .milliseconds(200), at: .t0)
            asked += 1
        }
        #expect(asked >= CircuitBreaker.failuresToOpen)
        #expect(breakers.production.state == .open(since: .t0))
    }

    @Test(
        arguments: [
            .http(429), .http(413), .json(["status": 0]), .json(["status": 21002]), .json(["status": 21003]),
            .json(["status": 21004]), .json(["status": 21008]), .json(["status": 21010]), .json(["status": 4711]),
            .json(["status": 21199, "is-retryable": false]),
        ] as [StoreServer.Answer])
    func `Answers of a working store leave the circuit breaker closed`(_ answer: StoreServer.Answer) async throws {
        #expect(try await calls(answer) == CircuitBreaker.failuresToOpen + 1)
    }

    /// A caller that does not wait says nothing about the store.
    @Test func `Callers that go away do not open the circuit breaker`() async throws {
        let breakers = CircuitBreakers("test")
        let server = StoreServer(production: .silence)
        try await server.run(breakers: breakers) { client in
            for _ in 0...CircuitBreaker.failuresToOpen {
                let task = Task { await client.verify(Self.content, secret: nil, within: .seconds(120), at: .t0) }
                await server.nextCall()
                task.cancel()
                _ = await task.value
                _ = await client.verify(Self.content, secret: nil, within: .zero, at: .t0)
            }
        }
        #expect(breakers.production.state == .closed)
    }

    @Test func `The circuit breaker refuses during an outage and closes after it`() async throws {
        let breakers = CircuitBreakers("verifyReceipt")
        for _ in 0..<CircuitBreaker.failuresToOpen { breakers.production.record(success: false, at: .t0) }
        let server = StoreServer(production: .json(["status": 21010]))
        try await server.run(breakers: breakers) { client in
            let early = await client.verify(Self.content, secret: nil, within: .seconds(120), at: .t0 + 29)
            #expect(early.unavailability?.detail == "verifyReceipt Production: breaker open")
            #expect(early.unavailability?.retryDate == .t0 + 30)
            #expect(server.calls.isEmpty)
            let probe = await client.verify(Self.content, secret: nil, within: .seconds(120), at: .t0 + 30)
            #expect(probe.outcome == "notFound")
            #expect(breakers.production.state == .closed)
        }
    }

    /// An outage of the sandbox is none of Production.
    @Test func `Each environment has a circuit breaker of its own`() async throws {
        let breakers = CircuitBreakers("test")
        let server = StoreServer(production: .json(["status": 21007]), sandbox: .http(503))
        try await server.run(breakers: breakers) { client in
            for _ in 0...CircuitBreaker.failuresToOpen {
                _ = await client.verify(Self.content, secret: nil, within: .seconds(120), at: .t0)
            }
        }
        #expect(breakers.production.state == .closed)
        #expect(breakers.sandbox.state == .open(since: .t0))
        #expect(server.calls.count { $0.endpoint == .sandbox } == CircuitBreaker.failuresToOpen)
    }
}
