import Foundation
import Hummingbird
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

// Every case runs a server: one after the other, so that other tests get their time.
/// When the store may be asked again.
@Suite(.serialized) struct ServerAPIRetryTests {
    private static let id: TransactionID = "2000000847061981"

    // MARK: Retry-After

    @Test(
        arguments: [
            ("1795210630000", 10), ("10", 10), ("0", 0), ("1795210610000", 0), ("1895210630000", 3600),
            ("99999999999", 3600), ("9223372036854775807", 3600), (nil, nil), ("", nil), ("-1", nil), ("1.5", nil),
            ("92233720368547758070", nil), ("Sat, 21 Nov 2026 06:00:00 GMT", nil),
        ] as [(String?, TimeInterval?)])
    func `The date of Retry-After is obeyed within its limits`(_ value: String?, _ seconds: TimeInterval?) async throws
    {
        let headers: HTTPFields = value.map { [.retryAfter: $0] } ?? [:]
        for (answer, usual) in [
            (ServerAPIServer.Answer.error(4_290_000, headers: headers), 60.0),
            (.init(status: 503, headers: headers), nil),
        ] as [(ServerAPIServer.Answer, TimeInterval?)] {
            guard case .unavailable(let unavailability) = try await ServerAPIServer(answer).failureToFinish() else {
                return #expect(Bool(false), "no unavailability")
            }
            #expect(unavailability.retryDate == (seconds ?? usual).map { .t0 + $0 })
        }
    }

    /// A request too many is not repeated before its time, and only the rate limit that it exceeded pauses.
    @Test func `After a request too many its rate limit pauses`() async throws {
        let server = ServerAPIServer { call in
            call.path.hasSuffix("/finish")
                ? .error(4_290_000, headers: [.retryAfter: "1795210720000"]) : .error(4_000_000)
        }
        try await server.run { client in
            for _ in 0..<3 {
                let call = try client.asking(in: .production, within: .seconds(80))
                let failure = await AppStoreTests.failure { try await call.finish(Self.id) }
                guard case .unavailable(let unavailability) = failure else { return #expect(failure == nil, "let in") }
                let wait = try #require(unavailability.retryDate).timeIntervalSince(.t0)
                #expect((90...100).contains(wait))
            }
            #expect(server.calls.count == 1)
            let call = try client.asking(in: .production)
            let other = await AppStoreTests.failure { try await call.order("MK5TTTLNJR") }
            #expect(other == .refused(.generalBadRequest))
            let sandbox = try client.asking(in: .sandbox)
            _ = await AppStoreTests.failure { try await sandbox.finish(Self.id) }
        }
        #expect(server.calls.map(\.environment) == [.production, .production, .sandbox])
    }

    // MARK: the breaker

    @Test(
        arguments: [
            (.init(status: 500), true), (.error(5_000_001), true), (.init(status: 404), true),
            (.init(status: 302), true), (.init(status: 429), false), (.error(4_290_000), false),
            (.init(status: 401), false), (.error(4_000_002), false), (.error(4_040_010), false),
            (.error(4_040_002), false), (.init(), false),
        ] as [(ServerAPIServer.Answer, Bool)])
    func `Only answers of an outage open the circuit breaker of the Server API`(
        _ answer: ServerAPIServer.Answer, _ opens: Bool
    ) async throws {
        let breakers = CircuitBreakers("Server API")
        let server = ServerAPIServer(answer)
        try await server.run(breakers: breakers) { client in
            for _ in 0..<CircuitBreaker.failuresToOpen {
                let call = try client.asking(in: .sandbox, within: .seconds(50))
                _ = await AppStoreTests.failure { try await call.finish(Self.id) }
            }
        }
        #expect(breakers.sandbox.state == (opens ? .open(since: .t0) : .closed))
        #expect(breakers.production.state == .closed)
    }

    @Test func `An open circuit breaker sends no request to the Server API`() async throws {
        let breakers = CircuitBreakers("Server API")
        for _ in 0..<CircuitBreaker.failuresToOpen { breakers.production.record(success: false, at: .t0 - 10) }
        let server = ServerAPIServer(.error(4_040_010))
        guard case .unavailable(let unavailability) = try await server.failureToFinish(in: nil, breakers: breakers)
        else { return #expect(Bool(false), "let through") }
        #expect(unavailability.detail == "Server API Production: breaker open")
        #expect(unavailability.retryDate == .t0 + 20)
        #expect(server.calls.isEmpty)
    }
}
