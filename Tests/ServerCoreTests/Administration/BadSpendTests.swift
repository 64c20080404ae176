import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Impossible spends, and recovery codes that open nothing.
@Suite struct BadSpendTests {
    static let spends: [(body: String, currency: String, expected: ExpectedProblem)] = [
        ("{\"amount\": 0}", "hints", ExpectedProblem(422, "invalid_request")),
        ("{\"amount\": -1}", "hints", ExpectedProblem(422, "invalid_request")),
        ("{\"amount\": -9223372036854775808}", "hints", ExpectedProblem(422, "invalid_request")),
        ("{\"amount\": -9223372036854775809}", "hints", .invalid),
        ("{\"amount\": 11}", "hints", ExpectedProblem(409, "insufficient_balance")),
        ("{\"amount\": 9223372036854775807}", "hints", ExpectedProblem(409, "insufficient_balance")),
        ("{\"amount\": 9223372036854775808}", "hints", .invalid), ("{\"amount\": 1e400}", "hints", .invalid),
        ("{\"amount\": 1.5}", "hints", .invalid), ("{\"amount\": \"1\"}", "hints", .invalid),
        ("{\"amount\": NaN}", "hints", .invalid), ("{\"amount\": 01}", "hints", .invalid),
        ("{\"amount\": 1}", "coins", ExpectedProblem(409, "insufficient_balance")),
        ("{\"amount\": 1}", "HINTS", ExpectedProblem(409, "insufficient_balance")),
        ("{\"amount\": 1}", "hints%00", ExpectedProblem(404, "not_found")),
        ("{\"amount\": 1}", "%20", ExpectedProblem(409, "insufficient_balance")),
        ("{\"amount\": 1, \"bundleID\": \"com.example.chess\"}", "hints", ExpectedProblem(404, "unknown_app")),
        ("{\"amount\": 1, \"bundleID\": \"\"}", "hints", ExpectedProblem(404, "unknown_app")),
        ("{\"amount\": 1, \"bundleID\": \"com.example.hangman\\u0000\"}", "hints", ExpectedProblem(404, "unknown_app")),
        ("{\"amount\": 1, \"environment\": \"Nowhere\"}", "hints", .invalid),
        ("{\"amount\": 1, \"environment\": \"Sandbox\"}", "hints", ExpectedProblem(409, "insufficient_balance")),
    ]

    @Test func `An impossible spend is refused, and its key stays usable`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            for (body, currency, expected) in Self.spends {
                let answer = try await world.send(
                    .post, "/v1/balances/\(currency)/spend", ByteBuffer(string: body), as: player,
                    headers: .key("same"))
                answer.expect(expected, "\(body) \(currency): \(answer)")
                #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            }
            let spend = try await world.call(
                .post, "/v1/balances/hints/spend", ["amount": 10], as: player, headers: .key("same"))
            #expect(spend.json == ["currency": "hints", "balance": 0])
        }
    }

    static let keys: [(key: [UInt8]?, isGood: Bool)] = [
        (nil, false), ([], false), (Array(repeating: 0x61, count: 129), false), (Array("ключ".utf8), false),
        ([0x61, 0xFF], false), ([0x61, 0xFE], false),
        (Array("e\(String(repeating: "\u{301}", count: 200))".utf8), false),
        (Array(repeating: 0x61, count: 128), true), (Array("6f1c2a34-0b0e-4d4a-8d0f-0123456789ab".utf8), true),
        (Array("\"quoted; key\"".utf8), true),
    ]

    @Test func `An idempotency key has up to 128 ASCII characters`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            var balance = 10
            for (key, isGood) in Self.keys {
                var request = Array("POST /v1/balances/hints/spend HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\n".utf8)
                request += Array("Authorization: Bearer \(player.token)\r\n".utf8)
                if let key { request += Array("Idempotency-Key: ".utf8) + key + Array("\r\n".utf8) }
                request += Array("\r\n{\"amount\": 1}".utf8)
                let answer = try await RawConnection.exchange(request, port: world.port)
                #expect(answer.statuses == [isGood ? 200 : 400], "\(String(describing: key)): \(answer)")
                balance -= isGood ? 1 : 0
                #expect(try await world.entitlements(of: player)["balances"]["hints"].number == balance)
            }
        }
    }

    @Test func `A currency of any name can be spent`() async throws {
        let products = """
            {"apps": [{"bundleID": "com.example.hangman", "products": [
              {"id": "com.example.hangman.purse", "type": "consumable", "credits": {"gold coins/Münzen": 5}}]}]}
            """
        try await World.run(products: products) { world in
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("purse", "consumable").signedTransaction, as: player)
            let answer = try await world.raw(
                "POST", "/v1/balances/gold%20coins%2fM%C3%BCnzen/spend", as: player, body: "{\"amount\": 2}",
                headers: "Idempotency-Key: k\r\n")
            #expect(answer.statuses == [200] && answer.contains("\"balance\":3"), "\(answer)")
        }
    }

    static let codes: [JSONValue] = [
        "", "-", "KX4M", "KX4M-", "0000-0000-0000-0000-0000-0000", "🎩🎩🎩🎩", "\u{0}", "ßßßß", "İ",
        .string(String(repeating: "0", count: 10_000)),
    ]

    @Test func `A wrong recovery code opens nothing`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                let near = player.recoveryCode.dropLast() + (player.recoveryCode.last == "0" ? "1" : "0")
                for code in Self.codes.dropLast() + [.string(String(near)), .string(player.account)] {
                    try await world.call(.post, "/v1/sessions", ["recoveryCode": code])
                        .expect(ExpectedProblem(401, "invalid_credentials"), "\(code)")
                    world.clock.advance(by: 60)
                }
                world.clock.advance(by: -60 * Double(Self.codes.count + 1))
            }
        }
    }

    @Test func `The eleventh wrong recovery code has to wait`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            for _ in 0..<RateLimit.recoveryCodes.standard.burst {
                #expect(try await world.call(.post, "/v1/sessions", ["recoveryCode": "wrong"]).status == 401)
            }
            let answer = try await world.call(.post, "/v1/sessions", ["recoveryCode": "wrong"])
            answer.expect(ExpectedProblem(429, "too_many_requests"))
            #expect(answer.headers[.retryAfter] == "60")
            _ = try await world.secondDevice(of: player)
        }
    }
}

extension World {
    func raw(
        _ method: String, _ path: String, as player: Player, body: String, headers: String = ""
    ) async throws -> String {
        try await RawConnection.exchange(
            """
            \(method) \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(player.token)\r
            Content-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)
            """, port: port)
    }
}
