import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Starting credits, as players and support see them.
@Suite struct StartingCreditsRouteTests {
    private static func products(_ setting: String) -> String {
        Project.products.replacing(#""appAppleID": 1234567890,"#, with: setting)
    }

    @Test func `A new account has its starting credits`() async throws {
        try await World.run(products: Self.products(#""startingCredits": {"hints": 20},"#)) { world in
            let admin = try await world.newAdmin()
            let player = try await world.newPlayer()
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 20])
            let path = "/v1/balances/hints/spend"
            let spent = try await world.call(.post, path, ["amount": 5], as: player, headers: .key("one"))
            #expect(spent.json["balance"] == 15)
            let bought = try await world.buy("tenhints", "consumable")
            let answer = try await world.post(bought.signedTransaction, as: player)
            #expect(answer.json["balances"] == ["hints": 25])
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 25])
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            let kinds = report["postings"].array.compactMap { $0["kind"].text }
            #expect(kinds.sorted() == ["credit", "spend", "starting"])
        }
    }

    /// With several apps an account is made for the one that is named, or shows by its first receipt or spend which it
    /// is.
    @Test func `Starting credits are those of the app that is named or first used`() async throws {
        let chess = #""bundleID": "com.example.chess","#
        let products = SampleCatalog.twoApps
            .replacing(chess, with: chess + #" "startingCredits": {"hints": 3},"#)
        try await World.run(products: products) { world in
            let named = try await world.call(.post, "/v1/accounts", ["bundleID": "com.example.chess"])
            #expect(named.status == 201)
            let posted = try await world.ledger.auditRows(after: 0, limit: 100).filter { $0.kind == "credits.posted" }
            #expect(posted.count == 1)
            let player = try await world.newPlayer()
            let query = "?bundleID=com.example.chess"
            #expect(try await world.entitlements(of: player, query: query)["balances"] == ["hints": 3])
            #expect(try await world.entitlements(of: player, query: "?bundleID=\(World.app)")["balances"] == [:])
            let request: JSONValue = ["amount": 3, "bundleID": "com.example.chess"]
            let spent = try await world.call(
                .post, "/v1/balances/hints/spend", request, as: player, headers: .key("one"))
            #expect(spent.json["balance"] == 0)
            let unknown = try await world.call(.post, "/v1/accounts", ["bundleID": "com.example.go"])
            #expect(unknown.status == 404 && unknown.json["code"] == "unknown_app")
            let wrong = try await world.call(.post, "/v1/accounts", ["bundleID": 7])
            #expect(wrong.status == 400 && wrong.json["code"] == "invalid_request")
        }
    }

    /// Another number in the catalog is for accounts made from then on.
    @Test func `Another number of starting credits changes no existing account`() async throws {
        try await World.run(products: Self.products(#""startingCredits": {"hints": 20},"#)) { world in
            let first = try await world.newPlayer()
            world.clock.advance(by: 60)
            var seen = CatalogWatcher.Seen()
            try world.write(Self.products(#""startingCredits": {"hints": 30},"#))
            try await world.lookAtCatalog(&seen)
            let second = try await world.newPlayer()
            #expect(try await world.entitlements(of: first)["balances"] == ["hints": 20])
            #expect(try await world.entitlements(of: second)["balances"] == ["hints": 30])
        }
    }
}
