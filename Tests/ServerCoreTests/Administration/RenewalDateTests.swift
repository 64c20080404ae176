import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// Support has the store extend a subscription as compensation.
@Suite struct RenewalDateTests {
    /// A world with a player who has a subscription for a month.
    private static func run(
        hasServerKey: Bool = true, _ test: @escaping @Sendable (World, Player, Bought) async throws -> Void
    ) async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: hasServerKey) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable", ["period": "P30D", "renews": true])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            try await test(world, player, bought)
        }
    }

    private static func end(in world: World, of player: Player) async throws -> Date? {
        let end = try await world.entitlement(to: "club.monthly", of: player)["until"].text
        return end.flatMap { Date(rfc3339: $0) }
    }

    /// The player has longer access at once, without a notification, and the trail says who gave it and why.
    @Test func `A renewal date is extended once`() async throws {
        try await Self.run { world, player, bought in
            let admin = try await world.newAdmin()
            let before = try #require(try await Self.end(in: world, of: player))
            let dry = try await world.extend(bought, days: 7, as: admin, query: "?dryRun=true")
            #expect(dry.json["before"]["expirationDate"].text == before.rfc3339, "\(dry)")
            #expect(dry.json["after"]["expirationDate"].text == (before + 7 * 86_400).rfc3339)
            #expect(try await Self.end(in: world, of: player) == before)
            let first = try await world.extend(bought, days: 7, as: admin, key: "a")
            #expect(
                first.status == 200 && first.json["expirationDate"].text == (before + 7 * 86_400).rfc3339, "\(first)")
            #expect(first.json["originalID"].text == bought.originalID && first.json["days"] == 7)
            #expect(try await Self.end(in: world, of: player) == before + 7 * 86_400)
            #expect(try await world.extend(bought, days: 7, as: admin, key: "a").json == first.json)
            #expect(try await Self.end(in: world, of: player) == before + 7 * 86_400)
            let rows = try await world.auditRows(of: "renewal.extended")
            #expect(rows.count == 1 && rows[0].contains("ticket 7") && rows[0].contains("\"days\":7"), "\(rows)")
            #expect(try await world.extend(bought, days: 90, as: admin, key: "b").status == 200)
            let third = try await world.extend(bought, days: 1, as: admin, key: "c")
            third.expect(ExpectedProblem(409, "extension_refused"))
            #expect(third.json["detail"].text?.hasPrefix("4030005 ") == true, "\(third)")
            #expect(try await Self.end(in: world, of: player) == before + 97 * 86_400)
        }
    }

    @Test func `A renewal date that cannot be extended is refused`() async throws {
        try await Self.run { world, player, bought in
            let admin = try await world.newAdmin()
            for days in [0, -1, 91, Int.max] {
                try await world.extend(bought, days: days, as: admin)
                    .expect(ExpectedProblem(422, "invalid_request"))
            }
            let words = try await world.buy("hardwords", "non-consumable")
            _ = try await world.post(words.signedTransaction, as: player)
            try await world.extend(words, days: 1, as: admin).expect(ExpectedProblem(422, "invalid_request"))
            try await world.call(
                .post, "/admin/v1/original-transactions/Production/7/extend", ["days": 1, "reason": "r"], as: admin
            ).expect(ExpectedProblem(404, "not_found"))
            _ = try await world.act("faults", ["http": 503])
            try await world.extend(bought, days: 1, as: admin).expect(ExpectedProblem(503, "store_unavailable"))
            try await world.endFaults()
            #expect(try await world.auditRows(of: "renewal.extended").isEmpty)
        }
        // The page says so before, too: a preview promises nothing that the act refuses.
        try await Self.run(hasServerKey: false) { world, _, bought in
            for query in ["", "?dryRun=true"] {
                try await world.extend(
                    bought, days: 1, as: try await world.newAdmin(name: "a\(query.count)"), query: query
                )
                .expect(ExpectedProblem(409, "no_store_key"))
            }
            let alice = try await world.visitor(.write)
            let path = "/admin/purchases/Production/\(bought.originalID)/extend?bundleID=\(World.app)"
            for days in ["", "&days=7"] {
                let page = try await alice.get(path + days)
                #expect(page.status == 409 && page.html.contains("no key for the App Store"), "\(page.html)")
            }
        }
    }

    @Test func `The page shows the new renewal date before it is extended`() async throws {
        try await Self.run { world, player, bought in
            let alice = try await world.visitor(.write)
            let account = try await alice.get("/admin/accounts/\(player.account)").html
            let path = "/admin/purchases/Production/\(bought.originalID)/extend?bundleID=\(World.app)"
            #expect(account.contains("\(path)\">Extend the renewal date"), "\(account)")
            #expect(try await alice.get(path).html.contains("twice a year"))
            #expect(try await alice.get("\(path)&days=91").html.contains("from 1 to 90"))
            let before = try #require(try await Self.end(in: world, of: player))
            let form = try await alice.get("\(path)&days=5")
            #expect(form.html.contains("Extend by 5 days"), "\(form.html)")
            let answer = try await alice.submit("\(path)&days=5", [("reason", "ticket 8")])
            #expect(answer.headers[.location] == "/admin/accounts/\(player.account)?done=extend", "\(answer.html)")
            #expect(try await Self.end(in: world, of: player) == before + 5 * 86_400)
        }
    }
}

extension World {
    fileprivate func extend(
        _ bought: Bought, days: Int, as admin: Player, key: String? = nil, query: String = ""
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await call(
            .post, "/admin/v1/original-transactions/Production/\(bought.originalID)/extend\(query)",
            ["days": .integer(days), "reason": "ticket 7"], as: admin, headers: headers)
    }
}
