import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// Bodies that cannot be read get a coded problem, and nobody loses anything.
@Suite struct BadBodyTests {
    struct Route: Sendable, CustomTestStringConvertible {
        var path: String
        var limit: Int

        var testDescription: String { path }

        var tooLarge: ExpectedProblem { limit == Limits.smallBodyBytes ? .requestTooLarge : .tooLarge }
    }

    static let receipts = Route(path: "/v1/receipts", limit: Limits.receiptBodyBytes)
    static let restore = Route(path: "/v1/restore", limit: Limits.restoreBodyBytes)
    static let sessions = Route(path: "/v1/sessions", limit: Limits.smallBodyBytes)
    static let spend = Route(path: "/v1/balances/hints/spend", limit: Limits.smallBodyBytes)
    static let routes = [receipts, restore, sessions, spend]

    static let unreadable: [[UInt8]] =
        [
            "{\"receipt\": \"abc", "{", "{\"receipt\": tru", " ", "receipt=abc", "<receipt/>",
            everyMember("\"\\ud800\""), everyMember("\"\\x\""), everyMember("\"\u{1}\""), "null", "7",
            "\"text\"", "[]", "[{}]", "{}{}",
            String(repeating: "[", count: 16_000), String(repeating: "{\"a\":", count: 3_000),
            "{\"x\": \(String(repeating: "[", count: 7_000))\(String(repeating: "]", count: 7_000))}",
        ].map { Array($0.utf8) }
        + [[0], [0xFF], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF], everyMember([0xFF]), everyMember([0xED, 0xA0, 0x80])]

    private static func everyMember(_ value: String) -> String {
        "{\"receipt\": \(value), \"receipts\": [\(value)], \"recoveryCode\": \(value), \"amount\": \(value)}"
    }

    /// Bytes within quotes that are not UTF-8.
    private static func everyMember(_ bytes: [UInt8]) -> [UInt8] {
        Array(everyMember("\"?\"").utf8.map { $0 == UInt8(ascii: "?") ? bytes : [$0] }.joined())
    }

    @Test(arguments: routes) func `A body that is no JSON object is refused`(route: Route) async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for bytes in Self.unreadable {
                    let body = ByteBuffer(bytes: bytes)
                    let answer = try await world.send(.post, route.path, body, as: player, headers: .key("k"))
                    answer.expect(.invalid, "\(String(decoding: bytes.prefix(60), as: UTF8.self)): \(answer)")
                    #expect(answer.json["detail"].text?.isEmpty == false)
                }
            }
        }
    }

    static let wrongTypes: [(Route, JSONValue)] = [
        (receipts, [:]), (receipts, ["receipt": 7]), (receipts, ["receipt": nil]), (receipts, ["receipt": ["x"]]),
        (receipts, ["receipt": "x", "bundleID": 7]), (receipts, ["Receipt": "x"]),
        (restore, ["receipts": "x"]), (restore, ["receipts": [7]]), (restore, ["receipts": [nil]]),
        (restore, ["receipts": ["a": "b"]]), (restore, ["bundleID": []]),
        (sessions, [:]), (sessions, ["recoveryCode": 7]), (sessions, ["recoveryCode": nil]),
        (spend, [:]), (spend, ["amount": "3"]), (spend, ["amount": nil]), (spend, ["amount": true]),
        (spend, ["amount": .number(1.5)]), (spend, ["amount": .number(1e300)]), (spend, ["amount": [1]]),
        (spend, ["amount": 1, "bundleID": 7]), (spend, ["amount": 1, "environment": 7]),
        (spend, ["amount": 1, "environment": "production"]), (spend, ["amount": 1, "environment": ""]),
    ]

    @Test func `A member of another type is refused by name`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for (route, body) in Self.wrongTypes {
                    let answer = try await world.call(.post, route.path, body, as: player, headers: .key("k"))
                    answer.expect(.invalid, "\(route.path) \(body): \(answer)")
                }
            }
        }
    }

    @Test func `A deeply nested body is refused`() async throws {
        let nest = String(repeating: "[", count: 100_000)
        try await World.run { world in
            try await world.unharmed { player in
                for body in [nest, "{\"receipt\": \"x\", \"more\": \(nest)", "{\"receipts\": \(nest)"] {
                    for route in [Self.receipts, Self.restore] {
                        try await world.send(.post, route.path, ByteBuffer(string: body), as: player).expect(.invalid)
                    }
                }
            }
        }
    }

    @Test(arguments: routes) func `A body one byte above the limit is too large`(route: Route) async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let frame = "{\"\": \"receipt\"}".utf8.count
                for excess in [0, 1] {
                    let filling = String(repeating: "x", count: route.limit - frame + excess)
                    let body = ByteBuffer(string: "{\"\(filling)\": \"receipt\"}")
                    let answer = try await world.send(.post, route.path, body, as: player, headers: .key("k"))
                    #expect((answer.status == 413) == (excess == 1), "\(answer)")
                    if excess == 1 { answer.expect(route.tooLarge) }
                }
            }
        }
    }

    @Test(arguments: routes)
    func `A body that does not announce its length has the same limit`(route: Route) async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let head = """
                    POST \(route.path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r
                    Idempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n
                    """
                let chunk = String(repeating: "x", count: 1 << 14)
                let chunks = String(repeating: "4000\r\n\(chunk)\r\n", count: route.limit >> 14)
                let answer = try await RawConnection.converse(
                    [("", head + chunks), ("", "1\r\nx\r\n")], until: "}", port: world.port)
                #expect(answer.statuses == [413] && answer.contains(route.tooLarge.code), "\(answer)")
            }
        }
    }

    @Test func `An unreadable receipt body is audited without its text`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let secret = "{\"receipt\": \"unfinished-secret"
            let body = ByteBuffer(string: secret)
            for path in ["/v1/receipts", "/v1/restore"] {
                #expect(try await world.send(.post, path, body, as: player).status == 400)
            }
            let rows = try await world.auditRows(of: "receipt.unreadable")
            #expect(rows.count == 2)
            for row in rows {
                #expect(row.contains("\"length\":\(secret.utf8.count)") && row.contains(body.sha256.hex))
                #expect(!row.contains("unfinished"))
            }
        }
    }

    @Test func `At most a hundred receipts are restored at once`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let receipts = Array(repeating: JSONValue.string("1"), count: Limits.receiptsPerRestore)
                let full = try await world.call(.post, "/v1/restore", ["receipts": .array(receipts)], as: player)
                #expect(full.status == 200 && full.json["receipts"].array.count == receipts.count)
                try await world.call(.post, "/v1/restore", ["receipts": .array(receipts + ["1"])], as: player)
                    .expect(ExpectedProblem(422, "invalid_request"))
            }
        }
    }

    @Test func `A receipt that is too large does not affect the others of a restore`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let huge = JSONValue.string(String(repeating: "x", count: (3 << 20) + 1))
                let good = try await world.buy("hardwords", "non-consumable", ["customer": "x"])
                let answer = try await world.call(
                    .post, "/v1/restore", ["receipts": [huge, .string(good.signedTransaction), huge]], as: player)
                #expect(answer.status == 200, "\(answer)")
                let receipts = answer.json["receipts"].array
                #expect(receipts.map { $0["status"].text } == ["rejected", "verified", "rejected"])
                #expect(receipts.map { $0["reason"].text } == ["unsupported", nil, "unsupported"])
                #expect(receipts.map { $0["finish"].flag } == [false, true, false])
            }
        }
    }
}
