import Foundation
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

// Every case runs a server: one after the other, so that other tests get their time.
/// Signed members of an answer become facts, and nothing else does.
@Suite(.serialized) struct ServerAPITransactionTests {
    private typealias Answer = ServerAPIServer.Answer
    private static let id: TransactionID = "2000000847061981"
    private let store: SigningAuthority

    init() throws { store = try SigningAuthority() }

    private func jws(_ payload: JSONValue, _ members: [String: JSONValue?] = [:]) throws -> JSONValue {
        .string(try store.jws(payload.with(members)))
    }

    private func ask<Value: Sendable>(
        _ server: ServerAPIServer, in environment: InAppPurchase.Environment? = nil,
        _ work: @Sendable (AppStoreServerCall) async throws -> Value
    ) async throws -> Value {
        try await server.run(trusting: store) { try await work($0.asking(in: environment)) }
    }

    // MARK: one transaction

    @Test func `A signed transaction is read from an answer`() async throws {
        let server = ServerAPIServer(.json(["signedTransactionInfo": try jws(hints)]))
        let answer = try await ask(server) { try await $0.transaction(Self.id) }
        #expect(answer.receipt.transactions.map(\.id) == [Self.id])
        #expect(answer.receipt.transactions.first?.isSigned == true)
        #expect(answer.bundleID == "com.example.hangman")
        #expect(answer.environment == .production)
        #expect(answer.unreadableEntries == 0)
    }

    /// TLS is no proof where there is a signature.
    @Test func `An answer with forged or foreign signed data is temporary trouble`() async throws {
        let forger = try SigningAuthority()
        let bad: [JSONValue] = [
            try jws(hints, ["bundleId": "com.example.other"]), try jws(hints, ["environment": "Sandbox"]),
            try jws(hints, ["environment": "Xcode"]), .string(try forger.jws(hints)), "", "a.b.c",
            try jws(["originalTransactionId": "1", "autoRenewStatus": 1, "signedDate": 0, "environment": "Production"]),
        ]
        for jws in bad {
            let server = ServerAPIServer(.json(["signedTransactionInfo": jws]))
            await #expect(throws: AppStoreServerError.unavailable(Unavailability(.temporary))) {
                try await ask(server) { try await $0.transaction(Self.id) }
            }
        }
    }

    // MARK: hops

    /// Production refuses the key of an app that it does not sell yet.
    @Test(
        arguments: [
            .error(4_040_005), .error(4_040_010), .error(4_040_001), .error(4_000_006), .error(4_040_003),
            .init(status: 401), .init(status: 403),
        ] as [ServerAPIServer.Answer])
    func `A transaction that Production does not know, or whose key it refuses, is asked about in the sandbox`(
        _ answer: ServerAPIServer.Answer
    ) async throws {
        let good = Answer.json(["signedTransactionInfo": try jws(hints, ["environment": "Sandbox"])])
        let server = ServerAPIServer { $0.environment == .production ? answer : good }
        #expect(try await ask(server) { try await $0.transaction(Self.id) }.environment == .sandbox)
        #expect(server.calls.map(\.environment) == [.production, .sandbox])
    }

    @Test func `A transaction that neither environment knows is not found`() async throws {
        let server = ServerAPIServer(.error(4_040_010))
        await #expect(throws: AppStoreServerError.notFound(.transactionIDNotFound)) {
            try await ask(server) { try await $0.transaction(Self.id) }
        }
        #expect(server.calls.map(\.environment) == [.production, .sandbox])
    }

    @Test(arguments: [
        (404, 401, "temporary"), (404, 403, "temporary"), (404, 503, "temporary"), (401, 404, "temporary"),
        (403, 404, "temporary"), (401, 503, "temporary"), (401, 401, "misconfigured"), (401, 403, "misconfigured"),
        (403, 401, "misconfigured"), (404, 404, "notFound"),
    ])
    func `Only two 404 mean that nothing is found, and only two refusals that the key is wrong`(
        _ row: (production: Int, sandbox: Int, outcome: String)
    ) async throws {
        @Sendable func answer(_ status: Int) -> ServerAPIServer.Answer {
            status == 404 ? .error(4_040_010) : .init(status: status)
        }
        let server = ServerAPIServer { $0.environment == .production ? answer(row.production) : answer(row.sandbox) }
        let failure = try await server.failureToFinish(in: nil)
        #expect(failure?.outcome == row.outcome, "\(row)")
        #expect(server.calls.map(\.environment) == [.production, .sandbox])
    }

    /// Neither an outage nor another refusal leads to the sandbox, and nothing does where the environment is known.
    @Test(
        arguments: [
            (.error(4_040_006), nil), (.error(5_000_000), nil), (.init(status: 404), nil),
            (.init(status: 401), .production), (.error(4_040_010), .production),
        ] as [(ServerAPIServer.Answer, InAppPurchase.Environment?)])
    func `Nothing else leads from Production to the sandbox`(
        _ answer: ServerAPIServer.Answer, _ environment: InAppPurchase.Environment?
    ) async throws {
        let server = ServerAPIServer { $0.environment == .production ? answer : .init() }
        await #expect(throws: AppStoreServerError.self) {
            try await ask(server, in: environment) { try await $0.finish(Self.id) }
        }
        #expect(server.calls.map(\.environment) == [.production])
    }

    @Test func `A sandbox transaction in an answer of Production is refused`() async throws {
        let sandbox = Answer.json(["signedTransactionInfo": try jws(hints, ["environment": "Sandbox"])])
        await #expect(throws: AppStoreServerError.unavailable(Unavailability(.temporary))) {
            try await ask(ServerAPIServer(sandbox), in: .production) { try await $0.transaction(Self.id) }
        }
    }

    // MARK: subscriptions

    @Test func `Subscription statuses are read with their renewal facts`() async throws {
        func renewal(_ original: String, _ members: [String: JSONValue?] = [:]) throws -> JSONValue {
            try jws(
                [
                    "originalTransactionId": .string(original), "autoRenewProductId": "com.example.hangman.club.yearly",
                    "productId": "com.example.hangman.club.monthly", "autoRenewStatus": 1,
                    "isInBillingRetryPeriod": true, "signedDate": .integer(Date.t0.milliseconds),
                    "environment": "Production",
                ], members)
        }
        func item(_ id: String, renewal: JSONValue?) throws -> JSONValue {
            let ids: [String: JSONValue?] = ["transactionId": .string(id), "originalTransactionId": .string(id)]
            let item: JSONValue = [
                "status": 1, "originalTransactionId": .string(id), "signedTransactionInfo": try jws(subscription, ids),
            ]
            return item.with(["signedRenewalInfo": renewal])
        }
        let body: JSONValue = [
            "environment": "LocalTesting", "bundleId": "com.example.hangman", "appAppleId": 1_234_567_890,
            "data": [
                [
                    "subscriptionGroupIdentifier": "20123",
                    "lastTransactions": [try item("1", renewal: try renewal("1")), try item("2", renewal: nil)],
                ],
                [
                    "subscriptionGroupIdentifier": "20124",
                    // Of another subscription, and of another environment: neither says anything about this one.
                    "lastTransactions": [
                        try item("3", renewal: try renewal("4")),
                        try item("5", renewal: try renewal("5", ["environment": "Sandbox"])),
                    ],
                ],
            ],
        ]
        let answer = try await ask(ServerAPIServer(.json(body))) { try await $0.subscriptions(of: Self.id) }
        #expect(answer.receipt.transactions.map(\.id) == ["1", "2", "3", "5"])
        #expect(answer.unreadableEntries == 2)
        let key = OriginalTransaction.Key(app: "com.example.hangman", environment: .production, originalID: "1")
        #expect(Array(answer.receipt.renewals.keys) == [key])
        let facts = try #require(answer.receipt.renewals[key])
        #expect(facts.isInBillingRetry && facts.autoRenewProductID == "com.example.hangman.club.yearly")
        #expect(facts.status?.number == 1)
    }

    // MARK: orders

    @Test func `The transactions of an order are read`() async throws {
        let server = ServerAPIServer(.json(["status": 0, "signedTransactions": [try jws(hints)]]))
        #expect(try await ask(server) { try await $0.order("MK5TTTLNJR") }.receipt.transactions.count == 1)
        #expect(server.calls.map(\.environment) == [.production])
    }

    @Test func `An unknown order is not found, and only Production is asked`() async throws {
        for server in [ServerAPIServer(.json(["status": 1])), ServerAPIServer(.error(4_040_010))] {
            for environment in [nil, InAppPurchase.Environment.sandbox] {
                await #expect(throws: AppStoreServerError.self) {
                    try await ask(server, in: environment) { try await $0.order("MK5TTTLNJR") }
                }
            }
            #expect(server.calls.map(\.environment) == [.production])
        }
    }
}
