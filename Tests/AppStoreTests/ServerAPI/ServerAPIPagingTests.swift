import Foundation
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

// Every case runs a server: one after the other, so that other tests get their time.
/// Histories come in pages of twenty.
@Suite(.serialized) struct ServerAPIPagingTests {
    private typealias Answer = ServerAPIServer.Answer
    private static let id: TransactionID = "2000000847061981"
    private let store: SigningAuthority

    init() throws { store = try SigningAuthority() }

    private func jws(_ payload: JSONValue, _ members: [String: JSONValue?] = [:]) throws -> JSONValue {
        .string(try store.jws(payload.with(members)))
    }

    private func page(
        _ numbers: Range<Int>, revision: String, hasMore: Bool, in environment: String = "Production"
    ) throws -> Answer {
        let transactions = try numbers.map {
            try jws(hints, ["transactionId": .string("\($0)"), "environment": .string(environment)])
        }
        return .json([
            "revision": .string(revision), "hasMore": .bool(hasMore), "bundleId": "com.example.hangman",
            "appAppleId": 1_234_567_890, "environment": .string(environment),
            "signedTransactions": .array(transactions),
        ])
    }

    private func ask<Value: Sendable>(
        _ server: ServerAPIServer, in environment: InAppPurchase.Environment? = nil,
        _ work: @Sendable (AppStoreServerCall) async throws -> Value
    ) async throws -> Value {
        try await server.run(trusting: store) { try await work($0.asking(in: environment)) }
    }

    @Test func `All pages of a history in the sandbox are read`() async throws {
        let pages = [
            "sort=ASCENDING": try page(1..<21, revision: "a", hasMore: true, in: "Sandbox"),
            "sort=ASCENDING&revision=a": try page(20..<40, revision: "b", hasMore: true, in: "Sandbox"),
            "sort=ASCENDING&revision=b": try page(40..<42, revision: "c", hasMore: false, in: "Sandbox"),
        ]
        let server = ServerAPIServer { call in
            call.environment == .production ? .error(4_040_010) : pages[call.query ?? ""] ?? .error(4_000_005)
        }
        let history = try await ask(server) { try await $0.history(of: Self.id) }
        #expect(Set(history.answer.receipt.transactions.map(\.id)) == Set((1..<42).map { "\($0)" }))
        #expect(history.answer.environment == .sandbox)
        #expect(history.answer.appAppleID == 1_234_567_890)
        #expect(history.revision == "c" && history.interruption == nil)
        // The second page is requested where the first one came from.
        #expect(server.calls.map(\.environment) == [.production, .sandbox, .sandbox, .sandbox])
    }

    /// Of two copies of one transaction in two pages the newer counts, whichever comes first.
    @Test func `The newer of two copies of a transaction in a history counts`() async throws {
        let revoked = try jws(
            hints,
            [
                "revocationDate": .integer(Date.t0.milliseconds), "revocationReason": 1,
                "signedDate": .integer(Date.t0.milliseconds + 1),
            ])
        let copies = [try jws(hints), revoked]
        for copies in [copies, copies.reversed()] {
            let body: JSONValue = ["revision": "r", "hasMore": false, "signedTransactions": .array(copies)]
            let history = try await ask(ServerAPIServer(.json(body))) { try await $0.history(of: Self.id) }
            #expect(history.answer.receipt.transactions.count == 1)
            #expect(history.answer.receipt.transactions.first?.revocation?.reason == 1)
        }
    }

    @Test func `What was read of a history before an outage is kept`() async throws {
        let first = try page(1..<21, revision: "a", hasMore: true)
        let server = ServerAPIServer { $0.query?.contains("revision") == true ? .error(5_000_000) : first }
        let history = try await ask(server) { try await $0.history(of: Self.id) }
        #expect(history.answer.receipt.transactions.count == 20)
        #expect(history.revision == "a")
        #expect(history.interruption == Unavailability(.temporary))
    }

    /// A store that always says that there is more is not asked for ever.
    @Test func `A history is read up to a maximum of pages`() async throws {
        let server = ServerAPIServer(.json(["revision": "a", "hasMore": true, "signedTransactions": []]))
        let history = try await ask(server) { try await $0.history(of: Self.id) }
        #expect(history.interruption?.detail == "too many pages")
        #expect(server.calls.count == AppStoreServerClient.maximumPages)
    }

    @Test func `Unreadable entries of a history are counted`() async throws {
        let items = [try jws(hints), "☂", try jws(hints, ["transactionId": "7", "bundleId": "com.example.other"])]
        let server = ServerAPIServer(
            .json(["revision": "a", "hasMore": false, "signedTransactions": .array(items)]))
        let answer = try await ask(server) { try await $0.history(of: Self.id) }.answer
        #expect(answer.receipt.transactions.map(\.id) == [Self.id])
        #expect(answer.unreadableEntries == 2)
    }

    @Test func `An empty history is an answer`() async throws {
        let server = ServerAPIServer(.json(["revision": "a", "hasMore": false, "signedTransactions": []]))
        let answer = try await ask(server) { try await $0.history(of: Self.id) }.answer
        #expect(answer.receipt.transactions.isEmpty && answer.unreadableEntries == 0)
    }
}
