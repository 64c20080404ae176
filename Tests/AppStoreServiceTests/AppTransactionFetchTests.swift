import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// Support has the store asked for the app transaction of a player whose app does not send it.
@Suite struct AppTransactionFetchTests {
    /// Credits to start with wait for an app transaction.
    private static let products = SampleCatalog.text(SampleCatalog.hints).replacing(
        "\"products\"",
        with: "\"startingCredits\": {\"hints\": 20}, \"startingCreditsOnce\": \"appTransaction\", \"products\"")

    @Test func `A fetched app transaction counts as if the app had sent it`() async throws {
        try await World.run(products: Self.products, environment: World.pagesOn, hasServerKey: true) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let admin = try await world.newAdmin()
            let bought = try await world.buy("tenhints", "consumable")
            let second = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            #expect(try await world.post(second.signedTransaction, as: other).status == 200)
            let dry = try await world.fetchAppTransaction(of: bought, as: admin, query: "?dryRun=true")
            #expect(dry.status == 200 && dry.json["before"] == [:], "\(dry)")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            let fetched = try await world.fetchAppTransaction(of: bought, as: admin)
            #expect(fetched.status == 200 && fetched.json["account"].text == player.account, "\(fetched)")
            let id = try #require(fetched.json["appTransactionID"].text)
            #expect(dry.json["after"]["appTransactionID"].text == id, "\(dry)")
            #expect(fetched.json["originalAppVersion"] == dry.json["after"]["originalAppVersion"], "\(fetched)")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 30])
            #expect(try await world.fetchAppTransaction(of: bought, as: admin).status == 200)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 30], "once")
            #expect(try await world.fetchAppTransaction(of: second, as: admin).status == 200)
            #expect(try await world.entitlements(of: other)["balances"] == ["hints": 10], "the same customer's")
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            #expect(report["appTransactions"][0]["id"].text == id && report["appTransactions"].array.count == 1)
            let rows = try await world.auditRows(of: "appTransaction.fetched")
            #expect(rows.count == 3 && rows[0].contains("ticket 7") && rows[0].contains(id), "\(rows)")
        }
    }

    @Test func `After it an introductory offer can be signed`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin())
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            world.clock.advance(by: 31 * 86_400)
            let path = "/v1/apps/\(World.app)/offer-signatures"
            let body: JSONValue = ["product": .string("\(World.app).club.monthly"), "kind": "introductoryEligibility"]
            try await world.call(.post, path, body, as: player).expect(ExpectedProblem(403, "not_eligible"))
            #expect(try await world.fetchAppTransaction(of: bought, as: admin).status == 200)
            let signed = try await world.call(.post, path, body, as: player)
            #expect(signed.status == 200 && signed.json["signature"].text != nil, "\(signed)")
        }
    }

    @Test func `Without an answer of the store nothing is recorded`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin())
            let bought = try await world.buy("tenhints", "consumable")
            try await world.fetchAppTransaction(of: bought, as: admin).expect(ExpectedProblem(404, "not_found"))
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            _ = try await world.act("faults", ["errorCode": 4_040_019])
            try await world.fetchAppTransaction(of: bought, as: admin).expect(ExpectedProblem(404, "not_found"))
            try await world.endFaults()
            _ = try await world.act("faults", ["http": 503])
            try await world.fetchAppTransaction(of: bought, as: admin).expect(ExpectedProblem(503, "store_unavailable"))
            try await world.endFaults()
            for (body, problem) in [
                (["reason": ""], ExpectedProblem(422, "invalid_request")), ([:], .invalid),
                (["reason": "r", "bundleID": "com.example.go"], ExpectedProblem(404, "unknown_app")),
            ] as [([String: JSONValue], ExpectedProblem)] {
                try await world.fetchAppTransaction(of: bought, as: admin, body: .object(body)).expect(problem)
            }
            #expect(try await world.auditRows(of: "appTransaction.fetched").isEmpty)
        }
        try await World.run { world in
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin())
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            try await world.fetchAppTransaction(of: bought, as: admin).expect(ExpectedProblem(409, "no_store_key"))
        }
    }

    @Test func `The page shows what was fetched`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            let (player, alice) = (try await world.newPlayer(), try await world.visitor(.write))
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let path = "/admin/purchases/Production/\(bought.originalID)/app-transaction?bundleID=\(World.app)"
            let account = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(account.contains("\(path)\">Fetch the app transaction"), "\(account)")
            #expect(try await alice.get(path).html.contains("none was sent"))
            let answer = try await alice.submit(path, [("reason", "ticket 7")])
            #expect(answer.headers[.location] == "\(path)&done=fetched", "\(answer.html)")
            let after = try await alice.get("\(path)&done=fetched").html
            #expect(after.contains("First version") && !after.contains("none was sent"), "\(after)")
        }
    }
}

extension World {
    fileprivate func fetchAppTransaction(
        of bought: Bought, as admin: Player, query: String = "", body: JSONValue = ["reason": "ticket 7"]
    ) async throws -> Answer {
        try await call(
            .post, "/admin/v1/original-transactions/Production/\(bought.originalID)/app-transaction\(query)", body,
            as: admin)
    }
}
