import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// After an outage, all subscribers of a product are extended.
@Suite struct SubscriberExtensionTests {
    private static let product = "\(World.app).club.monthly"

    /// A world with a player who has a subscription for a month, and a customer in a free trial whom no account knows.
    private static func run(
        hasServerKey: Bool = true, _ test: @escaping @Sendable (World, Player) async throws -> Void
    ) async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: hasServerKey) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable", ["period": "P30D", "renews": true])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let trial = try await world.buy(
                "club.monthly", "auto-renewable",
                ["customer": "trial", "offerType": 1, "offerDiscountType": "FREE_TRIAL", "renews": true])
            if hasServerKey {
                let told = try await world.signedPayloads()
                #expect(try await world.receive(try #require(told.last)).status == 200, "\(trial.transactionID)")
            }
            world.clock.advance(by: 60)
            try await test(world, player)
        }
    }

    private static func end(in world: World, of player: Player) async throws -> Date? {
        try await world.entitlement(to: "club.monthly", of: player)["until"].text.flatMap { Date(rfc3339: $0) }
    }

    @Test func `All subscribers are extended once, and the progress is told`() async throws {
        try await Self.run { world, player in
            let admin = try await world.newAdmin()
            let before = try #require(try await Self.end(in: world, of: player))
            try await world.extensionOfAll(as: admin).expect(ExpectedProblem(404, "not_found"))
            let dry = try await world.extendAll(days: 3, as: admin, query: "?dryRun=true")
            let counted: JSONValue = ["days": 0, "subscribers": 2]
            #expect(dry.status == 200 && dry.json["before"] == counted, "\(dry)")
            #expect(dry.json["after"] == ["days": 3, "subscribers": 2], "\(dry)")
            try await world.extensionOfAll(as: admin).expect(ExpectedProblem(404, "not_found"))
            let asked = try await world.extendAll(days: 3, as: admin)
            #expect(asked.status == 202 && asked.json["days"] == 3 && asked.json["progress"] == .null, "\(asked)")
            #expect(try await world.extendAll(days: 3, as: admin).json == asked.json, "the same key")
            let progress = try await world.extensionOfAll(as: admin).json
            #expect(progress["request"] == asked.json["request"])
            #expect(progress["progress"]["complete"] == true, "\(progress)")
            #expect(progress["progress"]["extended"] == 1 && progress["progress"]["failed"] == 1, "\(progress)")
            for told in try await world.signedPayloads() { _ = try await world.receive(told) }
            #expect(try await Self.end(in: world, of: player) == before + 3 * 86_400)
            let rows = try await world.auditRows(of: "renewals.extended")
            #expect(rows.count == 1 && rows[0].contains("outage 7") && rows[0].contains("\"subscribers\":2"), "\(rows)")
            let listed = try await world.call(.get, "/admin/v1/notifications", as: admin).json["notifications"].array
            let kinds = Set(listed.compactMap { $0["subtype"].text })
            #expect(kinds.isSuperset(of: ["SUMMARY", "FAILURE"]), "\(listed)")
        }
    }

    /// While the store does not answer, what it sends by itself is the progress.
    @Test func `The summary of the store is the progress`() async throws {
        try await Self.run { world, _ in
            let admin = try await world.newAdmin()
            #expect(try await world.extendAll(days: 3, as: admin).status == 202)
            let told = try await world.signedPayloads()
            _ = try await world.act("faults", ["http": 503])
            let before = try await world.extensionOfAll(as: admin)
            #expect(before.status == 200 && before.json["progress"] == .null, "\(before)")
            for payload in told { _ = try await world.receive(payload) }
            let after = try await world.extensionOfAll(as: admin).json["progress"]
            #expect(after["complete"] == true && after["extended"] == 1 && after["failed"] == 1, "\(after)")
            #expect(after["completedAt"].text.flatMap { Date(rfc3339: $0) } == world.clock.now, "\(after)")
        }
    }

    @Test func `An extension of all subscribers that is not possible is refused`() async throws {
        try await Self.run { world, _ in
            let admin = try await world.newAdmin()
            for days in [0, -1, 91, Int.max] {
                try await world.extendAll(days: days, as: admin).expect(ExpectedProblem(422, "invalid_request"))
            }
            try await world.extendAll("hardwords", days: 1, as: admin).expect(ExpectedProblem(422, "invalid_request"))
            try await world.extendAll("nothing", days: 1, as: admin).expect(ExpectedProblem(404, "unknown_product"))
            try await world.extendAll(days: 1, as: admin, key: nil).expect(.invalid)
            try await world.extensionOfAll(as: admin, query: "?environment=Nowhere").expect(.invalid)
            _ = try await world.act("faults", ["errorCode": 4_000_023])
            let refused = try await world.extendAll(days: 1, as: admin)
            refused.expect(ExpectedProblem(409, "extension_refused"))
            #expect(refused.json["detail"] == "4000023 InvalidProductId", "\(refused)")
            try await world.endFaults()
            try await world.extensionOfAll(as: admin).expect(ExpectedProblem(404, "not_found"))
            _ = try await world.act("faults", ["http": 503])
            try await world.extendAll(days: 1, as: admin).expect(ExpectedProblem(503, "store_unavailable"))
            try await world.endFaults()
            #expect(try await world.auditRows(of: "renewals.extended").isEmpty)
            world.clock.advance(by: 60)
            #expect(try await world.extendAll(days: 1, as: admin).status == 202, "the same key again")
        }
        try await Self.run(hasServerKey: false) { world, _ in
            let admin = try await world.newAdmin()
            for query in ["", "?dryRun=true"] {
                try await world.extendAll(days: 1, as: admin, query: query).expect(ExpectedProblem(409, "no_store_key"))
            }
        }
    }

    @Test func `The page shows the number of subscribers before, and the progress after`() async throws {
        try await Self.run { world, _ in
            let alice = try await world.visitor(.write)
            let product = "/admin/products/\(World.app)/\(Self.product)"
            #expect(try await alice.get(product).html.contains("\(product)/extend\">Extend all subscribers"))
            let path = "\(product)/extend"
            #expect(try await alice.get("\(path)?days=91").html.contains("from 1 to 90"))
            let form = try await alice.get("\(path)?days=3")
            #expect(
                form.html.contains("Extend all by 3 days") && form.html.contains("Active subscribers"), "\(form.html)")
            let answer = try await alice.submit("\(path)?days=3", [("reason", "outage 7")])
            #expect(answer.headers[.location] == "\(path)?environment=Production&done=extended", "\(answer.html)")
            let after = try await alice.get(path).html
            #expect(after.contains("Last extension") && after.contains("1 extended, 1 not"), "\(after)")
        }
    }
}

extension World {
    private static func path(_ product: String) -> String {
        "/admin/v1/apps/\(app)/products/\(app).\(product)/extend"
    }

    fileprivate func extendAll(
        _ product: String = "club.monthly", days: Int, as admin: Player, key: String? = "outage", query: String = ""
    ) async throws -> Answer {
        try await call(
            .post, Self.path(product) + query, ["days": .integer(days), "reason": "outage 7"], as: admin,
            headers: key.map { HTTPFields.key($0) } ?? [:])
    }

    fileprivate func extensionOfAll(as admin: Player, query: String = "") async throws -> Answer {
        try await call(.get, Self.path("club.monthly") + query, as: admin)
    }
}
