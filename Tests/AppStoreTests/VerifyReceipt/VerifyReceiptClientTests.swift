import AsyncHTTPClient
import Foundation
import InAppPurchase
import StoreClient
import Testing

@testable import AppStore

/// The exchange itself, with a real server at the other end.
@Suite struct VerifyReceiptClientTests {
    static let content = Data("{ \"signature\" = \"???>>>\"; }".utf8).base64EncodedString()

    private func result(
        _ server: StoreServer, content: String = Self.content, secret: String? = "0123abcd",
        within limit: Duration = VerifyReceiptClient.maximumExchangeTime
    ) async throws -> VerificationResult<AppStoreAnswer> {
        try await server.run { await $0.verify(content, secret: secret, within: limit, at: .t0) }
    }

    // MARK: statuses

    @Test(arguments: [
        (0, "verified"), (21000, "badRequest"), (21001, "badRequest"), (21002, "ambiguous"), (21003, "signature"),
        (21004, "misconfigured"), (21005, "temporary"), (21006, "verified"), (21008, "temporary"),
        (21009, "temporary"), (21010, "notFound"), (21099, "temporary"), (21100, "temporary"), (21199, "temporary"),
        (21200, "temporary"), (-1, "temporary"), (1, "temporary"),
    ])
    func `Each status of verifyReceipt has its outcome`(_ status: Int, _ outcome: String) async throws {
        let server = StoreServer(production: .json(VerifyReceiptBody.unified.with(["status": .integer(status)])))
        #expect(try await result(server).outcome == outcome)
        #expect(server.calls.map(\.endpoint) == [.production])
    }

    @Test(
        arguments: ["is-retryable", "is_retryable"],
        [
            (true, "temporary"), (false, "notFound"), (1, "temporary"), (0, "notFound"), ("1", "temporary"),
            ("0", "notFound"), ("true", "temporary"), ("false", "notFound"), ("maybe", "temporary"),
            (.null, "temporary"),
        ] as [(JSONValue, String)])
    func `A status marked as retryable is temporary`(_ name: String, _ row: (value: JSONValue, outcome: String))
        async throws
    {
        for status in [21100, 21150, 21199] {
            let server = StoreServer(production: .json(["status": .integer(status), name: row.value]))
            #expect(try await result(server).outcome == row.outcome)
        }
        let server = StoreServer(production: .json(["status": 21005, name: row.value]))
        #expect(try await result(server).outcome == "temporary")
    }

    @Test func `A status may be a text`() async throws {
        #expect(try await result(StoreServer(production: .json(["status": "21010"]))).outcome == "notFound")
    }

    // MARK: hops

    @Test func `A sandbox receipt is asked about in the sandbox`() async throws {
        let body = VerifyReceiptBody.unified.with(["environment": nil])
        let server = StoreServer(production: .json(["status": 21007]), sandbox: .json(body))
        #expect(try await result(server).answer?.environment == .sandbox)
        #expect(server.calls.map(\.endpoint) == [.production, .sandbox])
        #expect(Set(server.calls.map(\.body)).count == 1)
    }

    @Test(arguments: [21007, 21008])
    func `The sandbox is asked once and not followed back`(_ status: Int) async throws {
        let server = StoreServer(
            production: .json(["status": 21007]), sandbox: .json(["status": .integer(status)]))
        #expect(try await result(server).outcome == "temporary")
        #expect(server.calls.map(\.endpoint) == [.production, .sandbox])
    }

    /// Neither an outage nor a refusal is a reason to ask the sandbox, whose purchases cost nothing.
    @Test(
        arguments: [
            .json(["status": 21003]), .json(["status": 21005]), .json(["status": 21008]), .http(503),
        ] as [StoreServer.Answer])
    func `Only status 21007 leads to the sandbox`(_ answer: StoreServer.Answer) async throws {
        let server = StoreServer(production: answer, sandbox: .json(VerifyReceiptBody.unified))
        #expect(try await result(server).answer == nil)
        #expect(server.calls.map(\.endpoint) == [.production])
    }

    // MARK: trouble

    @Test(
        arguments: [
            (.http(500), "temporary"), (.http(503), "temporary"), (.http(429), "temporary"), (.http(404), "temporary"),
            (.http(413), "unsupported"), (.http(204), "temporary"), (.text(""), "temporary"),
            (.text("<html>"), "temporary"), (.text("{}"), "temporary"), (.text("[]"), "temporary"),
            (.text("\u{0}☂"), "temporary"), (.text("[", times: 100_000), "temporary"),
            (.json(["status": 1e300]), "temporary"), (.json(["status": "zero"]), "temporary"),
        ] as [(StoreServer.Answer, String)])
    func `An HTTP error and an unreadable answer have their outcomes`(_ answer: StoreServer.Answer, _ outcome: String)
        async throws
    {
        #expect(try await result(StoreServer(production: answer)).outcome == outcome)
    }

    /// Good except for its size. Sending it takes a debug build on a busy machine some time.
    @Test func `An answer above the maximum size is not read`() async throws {
        let answer = String(decoding: try VerifyReceiptBody.unified.data, as: UTF8.self)
        let blanks = String(repeating: " ", count: VerifyReceiptClient.maximumAnswerSize - answer.utf8.count)
        #expect(try await result(StoreServer(production: .text(answer + blanks))).outcome == "verified")
        #expect(try await result(StoreServer(production: .text(answer + blanks + " "))).outcome == "temporary")
    }

    private func isTimedOut(_ server: StoreServer, within limit: Duration) async throws -> Bool {
        let unavailability = try await result(server, within: limit).unavailability
        return unavailability == Unavailability(.temporary) && unavailability?.detail == "no answer in time"
    }

    @Test func `A store that never answers times out`() async throws {
        #expect(try await isTimedOut(StoreServer(production: .silence), within: .milliseconds(200)))
    }

    @Test func `A store that stops in the middle of its answer times out`() async throws {
        #expect(try await isTimedOut(StoreServer(production: .stall), within: .milliseconds(200)))
    }

    /// The time is for both requests together.
    @Test func `A sandbox that never answers times out`() async throws {
        var asked: [InAppPurchase.Environment] = []
        // A busy machine may need all of a short time before it asks the sandbox.
        for limit in [2, 20, 110] where asked != [.production, .sandbox] {
            let server = StoreServer(production: .json(["status": 21007]), sandbox: .silence)
            #expect(try await isTimedOut(server, within: .seconds(limit)))
            asked = server.calls.map(\.endpoint)
        }
        #expect(asked == [.production, .sandbox])
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `A request without any time times out at once`(_ limit: Duration) async throws {
        #expect(try await isTimedOut(StoreServer(production: .silence), within: limit))
    }

    @Test func `A cancelled request is temporary trouble`() async throws {
        let server = StoreServer(production: .silence)
        let outcome = try await server.run { client in
            let task = Task { await client.verify(Self.content, secret: nil, within: .seconds(60), at: .t0).outcome }
            task.cancel()
            return await task.value
        }
        #expect(outcome == "temporary")
    }

    @Test(arguments: ["http://127.0.0.1:1/", "no url", "", "ftp://127.0.0.1/"])
    func `A store that cannot be reached is temporary trouble`(_ url: String) async {
        let client = VerifyReceiptClient(http: .shared, endpoints: .init(production: url, sandbox: url))
        #expect(await client.verify(Self.content, secret: nil, within: .seconds(1), at: .t0).outcome == "temporary")
    }

    // MARK: the request

    private struct Body: Decodable {
        var data: String
        var password: String?

        enum CodingKeys: String, CodingKey {
            case data = "receipt-data"
            case password
        }
    }

    @Test(arguments: [nil, "0123abcd"] as [String?])
    func `The request to verifyReceipt has the receipt and the secret`(_ secret: String?) async throws {
        let server = StoreServer(production: .json(["status": 21010]))
        _ = try await result(server, secret: secret)
        let call = try #require(server.calls.first)
        #expect(call.contentType == "application/json")
        #expect(call.method == "POST")
        let body = try JSONDecoder().decode(Body.self, from: call.body)
        #expect(body.data == Self.content)
        #expect(body.password == secret)
        #expect(!String(decoding: call.body, as: UTF8.self).contains("\\"))
    }

    /// The store reads base64 without line breaks, and with the plus signs that form decoding took away.
    @Test func `Base64 that clients damaged is repaired before it is sent`() async throws {
        let content = Data([0x30, 0x82, 0x01, 0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]).base64EncodedString()
        let server = StoreServer(production: .json(["status": 21010]))
        _ = try await result(server, content: content.replacing("+", with: " ") + "\r\n")
        let call = try #require(server.calls.first)
        #expect(try JSONDecoder().decode(Body.self, from: call.body).data == content)
    }

    @Test func `A receipt that is not base64 is not sent`() async throws {
        let server = StoreServer(production: .json(["status": 0]))
        #expect(try await result(server, content: "☂").outcome == "malformed")
        #expect(server.calls.isEmpty)
    }

    /// Neither the receipt nor the secret is in what is logged.
    @Test(
        arguments: [
            .json(["status": 21002]), .json(["status": 21003]), .json(["status": 21004]), .http(500), .text("1"),
        ] as [StoreServer.Answer])
    func `The details of a failure have no receipt and no secret`(_ answer: StoreServer.Answer) async throws {
        let result = try await result(StoreServer(production: answer), secret: "0123abcd")
        let detail = result.unavailability?.detail ?? result.rejection?.detail ?? ""
        #expect(!detail.isEmpty)
        #expect(!detail.contains("0123abcd"))
        #expect(!detail.contains(Self.content))
    }

    @Test func `verifyReceipt has the endpoints of Apple`() {
        #expect(VerifyReceiptClient.Endpoints.apple.production == "https://buy.itunes.apple.com/verifyReceipt")
        #expect(VerifyReceiptClient.Endpoints.apple.sandbox == "https://sandbox.itunes.apple.com/verifyReceipt")
    }
}
