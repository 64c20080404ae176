import AsyncHTTPClient
import Foundation
import Hummingbird
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

// Every case runs a server: one after the other, so that other tests get their time.
/// The meaning of answers that are not successes.
@Suite(.serialized) struct ServerAPIErrorTests {
    private static let id: TransactionID = "2000000847061981"

    // MARK: codes

    private static let temporary: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_000, 5_000_001]
    private static let misconfigured: Set<Int> = [4_000_002, 4_040_003, 4_040_007]
    private static let notFound: Set<Int> = [
        4_040_001, 4_040_005, 4_040_008, 4_040_009, 4_040_010, 4_040_019, 4_040_022,
    ]

    /// All that are documented, and some that are not.
    @Test func `Every error code has its meaning`() async throws {
        let codes = AppStoreServerErrorCode.names.keys.sorted() + [4_000_161, 4_990_000, 4_040_099, 9_990_000]
        #expect(codes.count > 70)
        for value in codes {
            let code = AppStoreServerErrorCode(rawValue: value)
            let status = value < 6_000_000 ? value / 10_000 : 400
            let body: JSONValue = ["errorCode": .integer(value), "errorMessage": "Some words."]
            let failure = try await ServerAPIServer(.json(body, status: status)).failureToFinish()
            let expected: AppStoreServerError =
                if Self.temporary.contains(value) {
                    .unavailable(Unavailability(.temporary))
                } else if Self.misconfigured.contains(value) {
                    .unavailable(Unavailability(.misconfigured))
                } else if Self.notFound.contains(value) { .notFound(code) } else { .refused(code) }
            #expect(failure == expected, "\(code)")
        }
    }

    @Test(arguments: [
        (4_040_010, "4040010 TransactionIdNotFound"), (4_000_032, "4000032 InvalidAccountTenure"),
        (4_000_042, "4000042 InvalidUserStatus"), (4_000_215, "4000215 RetentionMessaging"), (4_999_999, "4999999"),
    ])
    func `Error codes are described by their names`(_ code: Int, _ description: String) {
        #expect("\(AppStoreServerErrorCode(rawValue: code))" == description)
    }

    // MARK: no codes

    @Test(
        arguments: [
            (400, "refused"), (401, "misconfigured"), (403, "misconfigured"), (404, "temporary"), (408, "temporary"),
            (413, "temporary"), (429, "temporary"), (500, "temporary"), (502, "temporary"), (503, "temporary"),
            (302, "temporary"),
        ], ["", "<html>", "{}", "{\"errorCode\": \"x\"}", "{\"errorCode\": 1e300}"])
    func `An error without a code has the meaning of its status`(_ row: (status: Int, outcome: String), _ body: String)
        async throws
    {
        let failure = try await ServerAPIServer(.init(status: row.status, body: body)).failureToFinish()
        #expect(failure?.outcome == row.outcome)
        if row.status == 400 { #expect(failure == .refused(.generalBadRequest)) }
    }

    /// An outage is one whatever its page says.
    @Test func `An error code in the page of an outage does not make it a refusal`() async throws {
        let body: JSONValue = ["errorCode": 4_040_010]
        #expect(try await ServerAPIServer(.json(body, status: 500)).failureToFinish()?.outcome == "temporary")
        #expect(try await ServerAPIServer(.json(body, status: 401)).failureToFinish()?.outcome == "misconfigured")
    }

    @Test(arguments: ["", "{", "[]", "{\"signedTransactionInfo\": 1}", String(repeating: "[", count: 100_000)])
    func `A success that cannot be read is temporary trouble`(_ body: String) async throws {
        let server = ServerAPIServer(.init(body: body))
        let failure = try await server.run { client in
            let call = try client.asking()
            return await AppStoreTests.failure { try await call.transaction(Self.id) }
        }
        #expect(failure?.outcome == "temporary")
    }

    @Test(arguments: [200, 202, 204]) func `A success without a body is a success`(_ status: Int) async throws {
        #expect(try await ServerAPIServer(.init(status: status)).failureToFinish() == nil)
    }

    @Test func `A store that nobody answers for is temporary trouble`() async throws {
        let nobody = "http://127.0.0.1:1"
        let client = AppStoreServerClient(
            http: .shared, verifier: SignedDataVerifier(anchors: try .apple()),
            endpoints: .init(production: nobody, sandbox: nobody))
        for limit in [Duration.milliseconds(200), .zero, .seconds(-1)] {
            let call = try client.asking(within: limit)
            let failure = await AppStoreTests.failure { try await call.finish(Self.id) }
            guard case .unavailable(let unavailability) = failure else { return #expect(failure == nil, "no failure") }
            #expect(unavailability.cause == .temporary && unavailability.detail == "no answer in time")
        }
    }

    @Test func `The App Store is not asked about what Xcode made`() async throws {
        let server = ServerAPIServer(.init())
        #expect(try await server.failureToFinish(in: .xcode) == .notFound(nil))
        #expect(server.calls.isEmpty)
    }

    // MARK: secrets

    @Test(arguments: [
        ServerAPIServer.Answer.error(4_000_000), .error(4_040_002), .init(status: 401), .init(status: 503),
        .json(["errorCode": 4_040_003, "errorMessage": "eyJhbGciOiJFUzI1NiIs"], status: 404),
    ])
    func `The description of a failure has no token and no transaction ID`(_ answer: ServerAPIServer.Answer)
        async throws
    {
        let server = ServerAPIServer(answer)
        let text = "\(try #require(try await server.failureToFinish()))"
        let token = try #require(server.calls.first?.headers[.authorization]?.split(separator: " ").last)
        #expect(!text.contains(token) && !text.contains("eyJ") && !text.contains(Self.id.text))
    }

    @Test func `A token that was refused is not sent again`() async throws {
        let server = ServerAPIServer(.init(status: 401))
        let key = try AppStoreServerKey.hangman()
        try await server.run { client in
            for _ in 0..<2 {
                let call = client.asking(for: key, in: .production, within: .seconds(60), at: .t0)
                _ = await AppStoreTests.failure { try await call.finish(Self.id) }
            }
        }
        #expect(Set(server.calls.map { $0.headers[.authorization] }).count == 2)
    }
}
