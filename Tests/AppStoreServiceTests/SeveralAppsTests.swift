import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// Two apps on one server: where the client must name one, and what stays apart.
@Suite struct SeveralAppsTests {
    @Test func `Each receipt names its app, and balances are kept apart`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let player = try await world.newPlayer()
            for (order, hints) in [([:], 10), (SampleCatalog.inChess, 7)] {
                let bought = try await world.buy("tenhints", "consumable", order)
                for receipt in [bought.signedTransaction, bought.appReceipt, bought.transactionReceipt] {
                    let answer = try await world.post(receipt, as: player)
                    #expect(answer.status == 200 && answer.json["balances"] == ["hints": .integer(hints)], "\(answer)")
                }
            }
            #expect(try await world.entitlements(of: player)["balances"] == nil, "no app is named")
            let entitlements = try await world.entitlements(of: player)["entitlements"].array
            #expect(entitlements.compactMap { $0["app"].text } == ["com.example.chess", "com.example.hangman"])
            for (app, hints) in [("com.example.hangman", 10), ("com.example.chess", 7)] {
                let answer = try await world.entitlements(of: player, query: "?bundleID=\(app)")
                #expect(answer["balances"] == ["hints": .integer(hints)] && answer["entitlements"].array.count == 2)
            }
            try await world.call(.get, "/v1/entitlements?bundleID=com.example.go", as: player)
                .expect(.init(404, "unknown_app"))
        }
    }

    @Test func `A spend names the app`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let player = try await world.newPlayer()
            for order in [[:], SampleCatalog.inChess] {
                _ = try await world.post(world.buy("tenhints", "consumable", order).signedTransaction, as: player)
            }
            func spend(_ body: JSONValue) async throws -> Answer {
                try await world.call(.post, "/v1/balances/hints/spend", body, as: player, headers: .key("k"))
            }
            try await spend(["amount": 1]).expect(.invalid)
            try await spend(["amount": 1, "bundleID": "com.example.go"]).expect(.init(404, "unknown_app"))
            let answer = try await spend(["amount": 7, "bundleID": "com.example.chess"])
            #expect(answer.json == ["currency": "hints", "balance": 0])
            let other = try await spend(["amount": 7, "bundleID": "com.example.hangman"])
            #expect(other.json == ["currency": "hints", "balance": 3], "the same key is another spend there")
        }
    }

    @Test func `A receipt of another app than the client names is refused`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let player = try await world.newPlayer()
            let order = SampleCatalog.inChess.merging(["productID": "com.example.chess.board"]) { $1 }
            let bought = try await world.buy("board", "non-consumable", order)
            for receipt in [bought.signedTransaction, bought.appReceipt, bought.transactionReceipt] {
                for app in ["com.example.hangman", "com.example.go", ""] {
                    let answer = try await world.post(receipt, as: player, bundleID: app)
                    answer.expect(.rejected("bundleID"), "\(app): \(answer)")
                }
            }
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
            let answer = try await world.post(bought.signedTransaction, as: player, bundleID: "com.example.chess")
            #expect(answer.status == 200 && answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            #expect(try await world.call(.get, "/v1/bundles/night-theme", as: player).status == 200)
        }
    }

    @Test func `A restore names an app for its balances only`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let player = try await world.newPlayer()
            let receipts = [
                try await world.buy("tenhints", "consumable").signedTransaction,
                try await world.buy("tenhints", "consumable", SampleCatalog.inChess).signedTransaction,
            ].map { JSONValue.string($0) }
            let nameless = try await world.call(.post, "/v1/restore", ["receipts": .array(receipts)], as: player)
            #expect(nameless.status == 200 && nameless.json["balances"] == nil)
            #expect(nameless.json["receipts"].array.map { $0["status"] } == ["verified", "verified"])
            let named = try await world.call(.post, "/v1/restore", .object(SampleCatalog.inChess), as: player)
            #expect(named.json["balances"] == ["hints": 7] && named.json["receipts"] == [])
            try await world.call(.post, "/v1/restore", ["bundleID": "com.example.go"], as: player)
                .expect(.init(404, "unknown_app"))
        }
    }

    @Test func `Each app has its product list`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let chess = try await world.call(.get, "/v1/apps/com.example.chess/products").json
            #expect(chess["productIDs"] == ["com.example.hangman.tenhints", "com.example.chess.board"])
            #expect(try await world.productList().json["productIDs"] == ["com.example.hangman.tenhints"])
        }
    }
}
