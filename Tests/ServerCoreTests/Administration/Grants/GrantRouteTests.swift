import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine

/// Products that support gives without a purchase, over HTTP.
@Suite struct GrantRouteTests {
    /// An hour after the world's start.
    private static let end = World.start + 3_600

    private static func body(_ product: String, until end: Date? = nil) -> [String: JSONValue] {
        var body: [String: JSONValue] = ["product": .string("\(World.app).\(product)")]
        if let end { body["until"] = .string(end.rfc3339) }
        return body
    }

    /// Entitlements and downloads, to the second.
    @Test func `A granted product can be used until its end`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            try await world.call(.get, "/v1/bundles/hard-words", as: player).expect(Self.notEntitled)
            var body = Self.body("hardwords", until: Self.end)
            (body["app"], body["environment"]) = (.string(World.app), "Production")
            let given = try await world.act("grants", on: player, body, as: admin, key: "a")
            let id = try #require(given.json["grant"].text)
            #expect(given.status == 201 && given.headers[.cacheControl] == "no-store" && id.hasPrefix("g_"), "\(given)")
            #expect(given.json == ["grant": .string(id)])
            let again = try await world.act("grants", on: player, body, as: admin, key: "a")
            #expect(again.status == 201 && again.json == given.json)
            let entitlement: JSONValue = [
                "app": .string(World.app), "product": .string("\(World.app).hardwords"), "type": "non-consumable",
                "environment": "Production", "access": "granted", "until": .string(Self.end.rfc3339),
                "bundles": ["hard-words"], "basis": "administrator",
            ]
            #expect(try await world.entitlement(to: "hardwords", of: player) == entitlement)
            world.clock.advance(by: 3_599)
            let manifest = try await world.manifest(of: "hard-words", "?linkLifetime=600", as: player)
            #expect(manifest.status == 200 && manifest.json["expires"].text == Self.end.rfc3339, "\(manifest)")
            let list = try await world.call(.get, "/v1/bundles", as: player)
            #expect(list.json["bundles"].array.map { $0["bundle"] } == ["hard-words"])
            world.clock.advance(by: 1)
            try await world.call(.get, "/v1/bundles/hard-words", as: player).expect(Self.notEntitled)
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
        }
    }

    private static let notEntitled = ExpectedProblem(403, "not_entitled", reason: "notPurchased")

    /// Credits, history and reports do not have it; the account's report and the trail do.
    @Test func `A grant counts nowhere as a purchase`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let reports = ["purchases", "subscriptions", "refunds"].map {
                "/admin/v1/reports/\($0)?from=2026-01-01&to=2027-01-01&by=product"
            }
            var before: [JSONValue] = []
            for path in reports { before.append(try await world.call(.get, path, as: admin).json) }
            let given = try await world.act("grants", on: player, Self.body("club.monthly"), as: admin, key: "a")
            #expect(given.status == 201, "\(given)")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")
            var after: [JSONValue] = []
            for path in reports { after.append(try await world.call(.get, path, as: admin).json) }
            #expect(after == before)
            #expect(try await world.call(.get, "/v1/purchases", as: player).json["purchases"] == [])
            #expect(try await world.entitlements(of: player)["balances"] == [:])
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            let kept = report["grants"][0]
            #expect(kept["grant"] == given.json["grant"] && kept["actor"].text?.hasPrefix("admin:") == true, "\(kept)")
            #expect(kept["reason"] == "ticket 7" && kept["idempotencyKey"] == "a" && kept["until"] == .null)
            #expect(report["transactions"] == [] && report["postings"] == [])
            let rows = try await world.auditRows(of: "entitlement.granted")
            #expect(rows.count == 1 && rows[0].contains("ticket 7") && rows[0].contains("club.monthly"))
        }
    }

    @Test func `A grant is taken back, and only then ends its access`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let given = try await world.act("grants", on: player, Self.body("hardwords"), as: admin, key: "a")
            let path = "grants/\(try #require(given.json["grant"].text))"
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 200)
            let other = try await world.newPlayer()
            try await world.act(path, .delete, on: other, as: admin).expect(Self.missing)
            try await world.act("grants/g_x", .delete, on: player, as: admin).expect(Self.missing)
            try await world.act(path, .delete, on: player, ["reason": ""], as: admin).expect(Self.unprocessable)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 200)
            for _ in 0..<2 {
                let taken = try await world.act(path, .delete, on: player, as: admin)
                #expect(taken.status == 204 && taken.bytes.isEmpty, "\(taken)")
            }
            try await world.call(.get, "/v1/bundles/hard-words", as: player).expect(Self.notEntitled)
            #expect(try await world.auditRows(of: "entitlement.revoked").count == 1)
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            #expect(report["grants"][0]["revokedAt"].text == World.start.rfc3339)
        }
    }

    /// Beside a purchase: what was bought stays when what was given ends.
    @Test func `A purchase beside a grant stays when the grant ends`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let bought = try await world.buy("nighttheme.month", "non-renewing")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let own = try await world.entitlement(to: "nighttheme.month", of: player)
            #expect(own["basis"] == "purchase")
            let given = try await world.act("grants", on: player, Self.body("nighttheme.month"), as: admin, key: "a")
            let wider = try await world.entitlement(to: "nighttheme.month", of: player)
            #expect(wider["basis"] == "administrator" && wider["until"] == .null && wider["access"] == "granted")
            #expect(wider["purchasedAt"] == own["purchasedAt"] && wider["runs"] == own["runs"])
            let receipt = try await world.post(bought.signedTransaction, as: player).json
            #expect(receipt["entitlements"] == [wider])
            let path = "grants/\(given.json["grant"].text ?? "")"
            #expect(try await world.act(path, .delete, on: player, as: admin).status == 204)
            #expect(try await world.entitlement(to: "nighttheme.month", of: player) == own)
        }
    }

    @Test func `Dry runs of grants record nothing`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let body = Self.body("hardwords", until: Self.end)
            let dry = try await world.act("grants?dryRun=true", on: player, body, as: admin, key: "a")
            let (none, with): (JSONValue, JSONValue) = (
                ["access": "denied", "grants": 0],
                ["access": "granted", "grants": 1, "until": .string(Self.end.rfc3339)]
            )
            #expect(dry.status == 200 && dry.json == ["before": none, "after": with, "dryRun": true], "\(dry)")
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
            #expect(try await world.auditRows(of: "entitlement.granted").isEmpty)
            let given = try await world.act("grants", on: player, body, as: admin, key: "a")
            let path = "grants/\(try #require(given.json["grant"].text))"
            let back = try await world.act("\(path)?dryRun=true", .delete, on: player, as: admin)
            #expect(back.status == 200 && back.json == ["before": with, "after": none, "dryRun": true], "\(back)")
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            #expect(try await world.auditRows(of: "entitlement.revoked").isEmpty)
        }
    }

    private static let unprocessable = ExpectedProblem(422, "invalid_request")
    private static let missing = ExpectedProblem(404, "not_found")

    /// A blocked account can be given something; it can use it when it is unblocked.
    @Test func `A mistaken grant gives nothing, and a blocked account's is used later`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let mistakes: [(change: [String: JSONValue], problem: ExpectedProblem)] = [
                (["until": .string(World.start.rfc3339)], Self.unprocessable), (["until": "soon"], Self.unprocessable),
                (["reason": ""], Self.unprocessable),
                (["product": .string("\(World.app).tenhints")], Self.unprocessable),
                (["product": "x"], ExpectedProblem(422, "unknown_product")),
                (["product": 1], .invalid), (["environment": "Moon"], .invalid),
                (["app": "com.example.none"], ExpectedProblem(404, "unknown_app")),
            ]
            for (change, problem) in mistakes {
                let body = Self.body("hardwords").merging(change) { $1 }
                try await world.act("grants", on: player, body, as: admin, key: "a").expect(problem, "\(change)")
            }
            try await world.act("grants", on: player, Self.body("hardwords"), as: admin).expect(.invalid)
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
            #expect(try await world.act("block", on: player, as: admin).status == 200)
            for number in 0..<ProductGrant.maximumStanding {
                let body = Self.body("hardwords", until: Self.end)
                let given = try await world.act("grants", on: player, body, as: admin, key: "k\(number)")
                #expect(given.status == 201)
            }
            try await world.act("grants", on: player, Self.body("hardwords"), as: admin, key: "a")
                .expect(ExpectedProblem(409, "too_many_grants"))
            try await world.act("grants", on: player, Self.body("hardwords"), as: admin, key: "k0")
                .expect(ExpectedProblem(422, "idempotency_key_reused"))
            #expect(try await world.act("unblock", on: player, as: admin).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }
}
