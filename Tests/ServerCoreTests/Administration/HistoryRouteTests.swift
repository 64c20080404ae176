import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// The purchases and postings that a player is shown.
@Suite struct HistoryRouteTests {
    @Test func `A player sees their purchases and refunds`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            #expect(try await world.call(.get, "/v1/purchases", as: player).json == ["purchases": []])
            let words = try await world.buy("hardwords", "non-consumable", ["price": 4_990, "currency": "EUR"])
            _ = try await world.post(words.signedTransaction, as: player)
            world.clock.advance(by: 60)
            let hints = try await world.buy("tenhints", "consumable", ["quantity": 2])
            _ = try await world.post(hints.signedTransaction, as: player)
            let refunded = try await world.act("transactions/\(hints.transactionID)/refund", ["percentage": 50_000])
            let copy = try #require(refunded["signedTransaction"].text)
            _ = try await world.post(copy, as: player)
            let first = try await world.call(.get, "/v1/purchases?limit=1", as: player).json
            let purchase = first["purchases"][0]
            #expect(purchase["transaction"].text == hints.transactionID && purchase["quantity"] == 2)
            #expect(purchase["state"] == "partlyRefunded" && purchase["refundPercentage"] == 50_000)
            #expect(purchase["purchasedAt"].text == World.start.addingTimeInterval(60).rfc3339)
            let next = try #require(first["next"].text)
            let second = try await world.call(.get, "/v1/purchases?limit=1&after=\(next)", as: player).json
            let older = second["purchases"][0]
            #expect(older["transaction"].text == words.transactionID && older["state"] == "bought")
            #expect(older["price"] == 4_990 && older["currency"] == "EUR")
            let last = try await world.call(
                .get, "/v1/purchases?limit=1&after=\(second["next"].text ?? "")", as: player
            ).json
            #expect(last == ["purchases": []])
            // Another account gets the words with newer evidence.
            let other = try await world.newPlayer()
            let admin = try await world.newAdmin()
            let path = "/admin/v1/original-transactions/Production/\(words.originalID)/transfer"
            let moved = try await world.call(
                .post, path, ["to": .string(other.account), "reason": "ticket 7", "bundleID": .string(World.app)],
                as: admin)
            #expect(moved.status == 200, "\(moved)")
            let states = try await world.call(.get, "/v1/purchases", as: player).json["purchases"].array
            #expect(states.map { $0["state"] } == ["partlyRefunded", "transferred"])
            let acquired = try await world.call(.get, "/v1/purchases", as: other).json["purchases"].array
            #expect(acquired.map { $0["state"] } == ["bought"])
        }
    }

    @Test func `A player sees the postings of a currency`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "tenhints", "consumable")
            let spend = "/v1/balances/hints/spend"
            _ = try await world.call(.post, spend, ["amount": 3], as: player, headers: .key("round 1"))
            let list = try await world.call(.get, "/v1/balances/hints/postings", as: player).json
            let time = JSONValue.string(World.start.rfc3339)
            #expect(
                list == [
                    "postings": [
                        ["amount": -3, "kind": "spend", "idempotencyKey": "round 1", "at": time],
                        ["amount": 10, "kind": "credit", "product": "com.example.hangman.tenhints", "at": time],
                    ]
                ])
            let page = try await world.call(.get, "/v1/balances/hints/postings?limit=1", as: player).json
            let rest = try await world.call(
                .get, "/v1/balances/hints/postings?limit=1&after=\(page["next"].text ?? "")", as: player
            ).json
            #expect(rest["postings"][0]["amount"] == 10)
            let none = try await world.call(.get, "/v1/balances/gems/postings?environment=Sandbox", as: player).json
            #expect(none == ["postings": []])
        }
    }

    static let mistakes = [
        "/v1/purchases?limit=0", "/v1/purchases?limit=101", "/v1/purchases?limit=x", "/v1/purchases?after=",
        "/v1/purchases?after=7", "/v1/purchases?after=x-7", "/v1/purchases?after=99999999999999999999-7",
        "/v1/purchases?environment=Moon", "/v1/balances/hints/postings?after=-1",
        "/v1/balances/hints/postings?after=x", "/v1/balances/hints/postings?limit=-5",
        "/v1/balances/hints/postings?environment=Moon",
    ]

    @Test func `Wrong queries about purchases and postings are refused`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            for path in Self.mistakes {
                let answer = try await world.call(.get, path, as: player)
                #expect(answer.status == 400 && answer.json["code"] == "invalid_request", "\(path): \(answer)")
            }
            for path in ["/v1/purchases", "/v1/balances/hints/postings"] {
                let answer = try await world.call(.get, path + "?bundleID=com.example.go", as: player)
                #expect(answer.status == 404 && answer.json["code"] == "unknown_app")
            }
        }
    }
}
