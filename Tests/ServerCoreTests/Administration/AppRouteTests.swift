import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQLite
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Apps that are added, changed and removed while the server runs.
@Suite struct AppRouteTests {
    private static func path(_ app: String) -> String { "/admin/v1/apps/\(app)" }

    private static func put(
        _ settings: String, of app: String = World.app, _ world: World, as admin: Player, headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await world.send(.put, path(app), ByteBuffer(string: settings), as: admin, headers: headers)
    }

    @Test func `A player buys in an app as soon as it was added`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(name: "bob"), try await world.newPlayer())
            let before = try world.catalogText
            world.clock.advance(by: 1)
            let added = try await Self.put(
                #"{"appAppleID": 1234567890, "startingCredits": {"moves": 3}}"#, of: SampleCatalog.chess, world,
                as: admin)
            #expect(added.status == 201, "\(added)")
            #expect(
                String(decoding: added.bytes, as: UTF8.self)
                    == #"{"bundleID": "com.example.chess", "appAppleID": 1234567890, "startingCredits": {"moves": 3}}"#)
            let id = SampleCatalog.chess + ".tenmoves"
            let entry: JSONValue = ["type": "consumable", "credits": ["moves": 10]]
            let product = try await world.call(.put, World.productPath(id, app: SampleCatalog.chess), entry, as: admin)
            #expect(product.status == 201, "\(product)")
            let order: [String: JSONValue] = ["bundleID": .string(SampleCatalog.chess), "productID": .string(id)]
            let bought = try await world.buy("tenmoves", "consumable", order)
            let answer = try await world.post(bought.signedTransaction, as: player)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            #expect(answer.json["balances"]["moves"] == 10, "the account is older than the starting credits: \(answer)")
            let list = try await world.call(.get, "/v1/apps/\(SampleCatalog.chess)/products").json
            #expect(list["productIDs"] == [.string(id)])

            // Not a byte of the other app has changed.
            let kept = try #require(before.range(of: "  ]\n}").map { String(before[..<$0.lowerBound]) })
            let after = try world.catalogText
            #expect(after.hasPrefix(kept.dropLast(1)), "\(after)")
            let row = try #require(try await world.appRows().first)
            #expect(row.kind == "app.added" && row.actor == "admin:bob" && row.subject == SampleCatalog.chess)
            #expect(row.json["before"] == .null && row.json["after"]["startingCredits"]["moves"] == 3)
            #expect(row.json["revisionAfter"].text.map { added.headers[.eTag] == "\"\($0)\"" } == true)
        }
    }

    @Test func `The settings of an app are changed and its products stay`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let before = try world.catalogText
            let shown = try await world.call(.get, Self.path(World.app), as: admin)
            #expect(shown.json == ["bundleID": .string(World.app), "appAppleID": 1_234_567_890])
            let set = #"{"appAppleID": 1234567890, "sandbox": "testers", "openBundles": ["hard-words"]}"#
            let changed = try await Self.put(set, world, as: admin)
            #expect(changed.status == 200 && changed.headers[.eTag] != shown.headers[.eTag], "\(changed)")
            let lines = #"""
                1234567890,
                      "sandbox": "testers",
                      "openBundles": ["hard-words"],
                """#
            #expect(try world.catalogText == before.replacing("1234567890,", with: lines))
            let again = try await Self.put(set, world, as: admin)
            #expect(again.status == 200 && again.headers[.eTag] == changed.headers[.eTag])
            #expect(try await world.appRows().map(\.kind) == ["app.changed"], "the repetition changes nothing")
            // Everybody may read an open bundle from now on.
            let player = try await world.newPlayer()
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 200)
            let back = try await Self.put(#"{"appAppleID": 1234567890}"#, world, as: admin)
            #expect(back.status == 200)
            #expect(try world.catalogText == before)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 403)
            // The watcher of this process does not error it for an edit by hand.
            var seen = CatalogWatcher.Seen()
            try await world.lookAtCatalog(&seen)
            #expect(try await world.catalogRows().isEmpty)
        }
    }

    /// A dry run says what the same request would change, and refuses what it would refuse.
    @Test func `The dry run of an app's edit changes nothing and says what would change`() async throws {
        try await World.run { world in
            let (admin, before) = (try await world.newAdmin(), try world.catalogText)
            let tag = try #require(try await world.call(.get, Self.path(World.app), as: admin).headers[.eTag])
            let (id, product) = (World.app + ".tenhints", World.productPath(World.app + ".tenhints"))
            let entry = try await world.call(.get, product, as: admin).json
            let settings: JSONValue = ["bundleID": .string(World.app), "appAppleID": 1_234_567_890]
            let edits: [(HTTPRequest.Method, String, JSONValue?, before: JSONValue, after: JSONValue)] = [
                (.put, Self.path(World.app), [:], settings, ["bundleID": .string(World.app)]),
                (.put, Self.path(SampleCatalog.chess), [:], .null, ["bundleID": .string(SampleCatalog.chess)]),
                (.put, product, ["type": "consumable"], entry, ["id": .string(id), "type": "consumable"]),
                (.delete, product, nil, entry, .null),
            ]
            for (method, path, body, old, new) in edits {
                let answer = try await world.call(method, path + "?dryRun=true&reason=x", body, as: admin)
                #expect(answer.status == 200 && answer.headers[.eTag] == tag, "\(path) \(answer)")
                #expect(answer.json == ["before": old, "after": new, "dryRun": true], "\(path) \(answer)")
            }
            let path = Self.path(World.app) + "?dryRun=true"
            try await world.call(.put, path, [:], as: admin, headers: [.ifMatch: "\"x\""])
                .expect(.init(412, "precondition_failed"))
            try await world.call(.delete, path, as: admin).expect(.init(409, "app_in_use"))
            try await world.call(.put, path, ["colour": 1], as: admin).expect(.init(422, "invalid_app"))
            #expect(try world.catalogText == before)
            #expect(try await world.ledger.auditRows(after: 0, limit: 100).filter { $0.actor == "admin:alice" } == [])
        }
    }

    @Test func `The dry run of an app's removal changes nothing`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            #expect(try await world.call(.put, Self.path(SampleCatalog.chess), [:], as: admin).status < 300)
            let dry = try await world.call(.delete, Self.path(SampleCatalog.chess) + "?dryRun=true", as: admin)
            let entry: JSONValue = ["bundleID": .string(SampleCatalog.chess)]
            #expect(dry.status == 200 && dry.json == ["before": entry, "after": .null, "dryRun": true], "\(dry)")
            #expect(try await world.call(.get, Self.path(SampleCatalog.chess), as: admin).status == 200)
        }
    }

    @Test func `Edits of apps and products are audited with their reason`() async throws {
        try await World.run { world in
            let (admin, before) = (try await world.newAdmin(), try world.catalogText)
            let settings: JSONValue = ["currencies": ["hints": ["refund": "clamp"]]]
            for reason in ["", "%0A", String(repeating: "a", count: 501)] {
                try await world.call(.put, Self.path(World.app) + "?reason=\(reason)", settings, as: admin)
                    .expect(.init(422, "invalid_request"))
            }
            #expect(try world.catalogText == before)
            let set = try await world.call(.put, Self.path(World.app) + "?reason=ticket%207", settings, as: admin)
            #expect(set.status == 200 && set.json["currencies"] == settings["currencies"], "\(set)")
            let app = world.assembly.store.decisions.context.catalog.apps[0]
            #expect(app.refundPolicy(of: "hints") == .clamp)
            let product = World.productPath(World.app + ".tenhints")
            #expect(try await world.call(.delete, product + "?reason=sold%20out", as: admin).status == 204)
            #expect(try await world.call(.put, Self.path(World.app), [:], as: admin).status == 200)
            let rows = try await world.ledger.auditRows(after: 0, limit: 100).filter {
                $0.actor?.hasPrefix("admin:") == true
            }
            #expect(rows.map { $0.json["reason"] } == ["ticket 7", "sold out", .null])
        }
    }

    @Test func `The list has every app with its settings`() async throws {
        try await World.run(products: SampleCatalog.twoApps) { world in
            let reader = try await world.newAdmin(.read)
            let list = try await world.call(.get, "/admin/v1/apps", as: reader)
            #expect(
                list.json["apps"] == [
                    ["bundleID": .string(World.app), "products": 1, "settings": ["bundleID": .string(World.app)]],
                    [
                        "bundleID": .string(SampleCatalog.chess), "products": 2,
                        "settings": ["bundleID": .string(SampleCatalog.chess)],
                    ],
                ])
            #expect(list.headers[.eTag] == "\"\(list.json["revision"].text ?? "")\"")
            let same = try await world.call(
                .get, "/admin/v1/apps", as: reader, headers: [.ifNoneMatch: list.headers[.eTag] ?? ""])
            #expect(same.status == 304 && same.bytes.isEmpty)
            try await world.call(.get, Self.path("com.example.none"), as: reader).expect(.init(404, "unknown_app"))
        }
    }

    @Test func `A change of another revision of the catalog is refused`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let tag = try #require(try await world.call(.get, Self.path(World.app), as: admin).headers[.eTag])
            #expect(
                try await Self.put(#"{"sandbox": "testers"}"#, world, as: admin, headers: [.ifMatch: tag]).status == 200
            )
            let text = try world.catalogText
            let late = try await Self.put(#"{"sandbox": "everyone"}"#, world, as: admin, headers: [.ifMatch: tag])
            late.expect(.init(412, "precondition_failed"))
            #expect(late.headers[.eTag] != tag && late.headers[.eTag] != nil)
            try await Self.put("{}", world, as: admin, headers: [.ifNoneMatch: "*"])
                .expect(.init(412, "precondition_failed"))
            try await Self.put("{}", of: SampleCatalog.chess, world, as: admin, headers: [.ifMatch: "*"])
                .expect(.init(412, "precondition_failed"))
            try await world.call(.delete, Self.path(World.app), as: admin, headers: [.ifMatch: tag])
                .expect(.init(412, "precondition_failed"))
            #expect(try world.catalogText == text)
        }
    }

    @Test(arguments: [
        (#"{"colour": "red"}"#, "colour: unknown member"), (#"{"products": []}"#, "products: "),
        (#"{"bundleID": "com.example.other"}"#, "bundleID: should be"), (#"{"sandbox": "some"}"#, "sandbox"),
        (#"{"openBundles": ["none"]}"#, "openBundles[0]: there is no bundle"), (#"[]"#, "should be an object"),
        (#"{"appAppleID": 1, "appAppleID": 2}"#, "appAppleID"),
        (#"{"startingCredits": {"a": 0}}"#, "startingCredits"),
    ])
    func `Wrong settings of an app are refused with the place of the mistake`(settings: String, error: String)
        async throws
    {
        try await World.run { world in
            let (admin, before) = (try await world.newAdmin(), try world.catalogText)
            for app in [World.app, SampleCatalog.chess] {
                let answer = try await Self.put(settings, of: app, world, as: admin)
                answer.expect(.init(422, "invalid_app"))
                #expect(answer.json["detail"].text?.contains(error) == true, "\(answer)")
            }
            try await Self.put("{", world, as: admin).expect(.invalid)
            #expect(try world.catalogText == before)
            #expect(try await world.appRows().isEmpty)
        }
    }

    @Test func `An app with products or purchases cannot be removed`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let before = try world.catalogText
            let withProducts = try await world.call(.delete, Self.path(World.app), as: admin)
            withProducts.expect(.init(409, "app_in_use"))
            #expect(withProducts.json["detail"].text?.contains("6 products") == true, "\(withProducts)")

            #expect(try await Self.put("{}", of: SampleCatalog.chess, world, as: admin).status == 201)
            #expect(try await world.call(.delete, Self.path(SampleCatalog.chess), as: admin).status == 204)
            #expect(try world.catalogText == before)
            try await world.call(.delete, Self.path(SampleCatalog.chess), as: admin).expect(.init(404, "unknown_app"))

            // What was bought in it needs its entry, also when the product is gone or never was in the catalog.
            #expect(try await Self.put("{}", of: SampleCatalog.chess, world, as: admin).status == 201)
            let order: [String: JSONValue] = [
                "bundleID": .string(SampleCatalog.chess), "productID": .string(SampleCatalog.chess + ".board"),
            ]
            let bought = try await world.buy("board", "non-consumable", order)
            let player = try await world.newPlayer()
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let sold = try await world.call(.delete, Self.path(SampleCatalog.chess), as: admin)
            sold.expect(.init(409, "app_in_use"))
            #expect(sold.json["detail"].text?.contains("recorded purchases") == true, "\(sold)")
            #expect(try await world.appRows().map(\.kind) == ["app.added", "app.removed", "app.added"])
        }
    }

    /// A catalog in the database keeps every revision.
    @Test func `A catalog in the database keeps its history`() async throws {
        try await World.run(environment: ["QUARTERMASTER_CATALOG": "database"]) { world in
            let admin = try await world.newAdmin(name: "bob")
            #expect(
                try await Self.put(#"{"sandbox": "testers"}"#, of: SampleCatalog.chess, world, as: admin).status == 201)
            #expect(
                try await Self.put(#"{"sandbox": "nobody"}"#, of: SampleCatalog.chess, world, as: admin).status == 200)
            #expect(try await world.call(.delete, Self.path(SampleCatalog.chess), as: admin).status == 204)
            let history = try await world.ledger.catalogHistory(before: nil, limit: 9)
            #expect(history.map(\.number) == [4, 3, 2, 1] && history.first?.actor == "admin:bob")
            #expect(try await world.appRows().map(\.kind) == ["app.added", "app.changed", "app.removed"])
            #expect(try await world.call(.get, Self.path(SampleCatalog.chess), as: admin).status == 404)
        }
    }
}
