import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import StrictJSON
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Products that are added, changed and taken off sale while players buy them.
@Suite struct CatalogAdminTests {
    @Test func `A new product is sold at once, and purchases keep their terms`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let early = try await world.buy("fivehints", "consumable").signedTransaction
            #expect(try await world.post(early, as: player).json["transactions"][0]["reason"] == "unknownProduct")

            let added = try await world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: admin)
            #expect(added.status == 201 && String(decoding: added.bytes, as: UTF8.self) == SampleCatalog.fiveHints)
            let list = try await world.productList().json
            #expect(list["productIDs"].array.last == .string(SampleCatalog.five))
            #expect(added.headers[.eTag] == "\"\(list["revision"].text ?? "")\"")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 5], "bought before it was there")
            _ = try await world.post(world.buy("fivehints", "consumable").signedTransaction, as: player)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])

            let fewer = SampleCatalog.fiveHints.replacing("5}", with: "3}")
            let changed = try await world.put(SampleCatalog.five, fewer, as: admin)
            #expect(changed.status == 200 && changed.headers[.eTag] != added.headers[.eTag])
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            _ = try await world.post(world.buy("fivehints", "consumable").signedTransaction, as: player)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 13])

            let again = try await world.put(SampleCatalog.five, fewer.replacing(": ", with: " : "), as: admin)
            #expect(again.status == 200 && again.headers[.eTag] == changed.headers[.eTag])
            let kinds = try await world.catalogRows().map(\.kind)
            #expect(kinds == ["product.added", "product.changed"])
            // As a later start would read it.
            let file = try CatalogFile(
                Data(world.catalogText.utf8), bundles: CatalogEditTests.bundles, handlers: Server.standardHandlers)
            #expect(changed.headers[.eTag] == "\"\(file.revision)\"")
        }
    }

    @Test func `A product that was removed stays bought`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            _ = try await world.post(world.buy("hardwords", "non-consumable").signedTransaction, as: player)
            let late = try await world.buy("hardwords", "non-consumable").signedTransaction
            let before = try world.catalogText
            let removed = try await world.remove(SampleCatalog.hard, as: admin)
            #expect(removed.status == 204 && removed.bytes.isEmpty && removed.headers[.eTag] != nil)
            #expect(try await !world.productList().json["productIDs"].array.contains(.string(SampleCatalog.hard)))
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 200)
            try await world.remove(SampleCatalog.hard, as: admin).expect(ExpectedProblem(404, "unknown_product"))

            // Paid for before it was gone, sent after.
            let other = try await world.newPlayer()
            let answer = try await world.post(late, as: other).json["transactions"][0]
            #expect(answer["reason"] == "unknownProduct" && answer["finish"] == false)
            let entry = "{\"type\": \"non-consumable\", \"bundles\": [\"hard-words\"]}"
            #expect(try await world.put(SampleCatalog.hard, entry, as: admin).status == 201)
            #expect(try await world.entitlement(to: "hardwords", of: other)["access"] == "granted")
            #expect(try world.catalogText.count == before.count, "the entry is at the end now")
        }
    }

    @Test func `A removed subscription goes on for those who have it`() async throws {
        let club = "com.example.hangman.club.monthly"
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable")
            _ = try await world.post(bought.signedTransaction, as: player)
            let before = try await world.entitlement(to: "club.monthly", of: player)
            #expect(try await world.remove(club, as: admin).status == 204)
            #expect(try await world.entitlement(to: "club.monthly", of: player) == before)
            world.clock.advance(by: 86_400)
            let renewal = try await world.act("subscriptions/\(bought.originalID)/renew")["signedTransaction"].text
            let answer = try await world.post(try #require(renewal), as: player).json["transactions"][0]
            #expect(answer["outcome"] == "delivered" && answer["finish"] == true, "\(answer)")
            let after = try await world.entitlement(to: "club.monthly", of: player)
            #expect(after["access"] == "granted" && (after["until"].text ?? "") > (before["until"].text ?? ""))
            let late = try await world.buy("club.monthly", "auto-renewable", ["customer": "somebody else"])
            let refused = try await world.post(late.signedTransaction, as: player).json["transactions"][0]
            #expect(refused["reason"] == "unknownProduct" && refused["finish"] == false, "\(refused)")
        }
    }

    @Test func `Every change of the catalog is audited with who made it and what`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(name: "bob")
            let tags = try await [
                world.entries(as: admin), world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: admin),
                world.put(SampleCatalog.five, SampleCatalog.fiveHints.replacing("5}", with: "6}"), as: admin),
                world.remove(SampleCatalog.five, as: admin),
            ].map { ($0.headers[.eTag] ?? "").replacing("\"", with: "") }
            let rows = try await world.catalogRows()
            try #require(rows.map(\.kind) == ["product.added", "product.changed", "product.removed"])
            #expect(
                rows.allSatisfy {
                    $0.actor == "admin:bob" && $0.subject == SampleCatalog.five && $0.date == world.clock.now
                })
            let entries: [JSONValue] = [nil, Self.entry(hints: 5), Self.entry(hints: 6), nil]
            for (place, row) in rows.enumerated() {
                #expect(
                    row.json == [
                        "app": .string(World.app), "before": entries[place], "after": entries[place + 1],
                        "revisionBefore": .string(tags[place]), "revisionAfter": .string(tags[place + 1]),
                    ])
            }
            // The watcher of this process does not error them for edits by hand.
            var seen = CatalogWatcher.Seen()
            try await world.lookAtCatalog(&seen)
            #expect(try await world.catalogRows().count == 3)
        }
    }

    static func entry(hints: Int) -> JSONValue {
        ["id": .string(SampleCatalog.five), "type": "consumable", "credits": ["hints": .integer(hints)]]
    }

    @Test func `An edit by hand is audited once and kept by the next edit`() async throws {
        try await World.run(products: SampleCatalog.text(SampleCatalog.hints)) { world in
            let admin = try await world.newAdmin()
            let first = try await world.entries(as: admin).json["revision"]
            // Found by an editor before the watcher looks.
            try world.write(SampleCatalog.text(SampleCatalog.words))
            #expect(try await world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: admin).status == 201)
            #expect(
                try await world.productList().json["productIDs"] == [
                    .string(SampleCatalog.hard), .string(SampleCatalog.five),
                ])
            // Found by the watcher.
            var seen = CatalogWatcher.Seen()
            try world.write(world.catalogText.replacing("5}", with: "7}"))
            for _ in 1...2 { try await world.lookAtCatalog(&seen) }
            let rows = try await world.catalogRows()
            try #require(rows.map(\.kind) == ["catalog.replaced", "product.added", "catalog.replaced"])
            let (byHand, added, again) = (rows[0].json, rows[1].json, rows[2].json)
            #expect(byHand["added"] == [.string(SampleCatalog.hard)] && byHand["changed"] == [])
            #expect(byHand["removed"] == ["com.example.hangman.tenhints"] && byHand["apps"] == [.string(World.app)])
            #expect(byHand["revisionBefore"] == first && byHand["revisionAfter"] == added["revisionBefore"])
            #expect(again["changed"] == [.string(SampleCatalog.five)] && again["added"] == [] && again["removed"] == [])
            #expect(again["revisionBefore"] == added["revisionAfter"] && rows[2].actor == nil)
        }
    }

    @Test func `An edit by hand while no server ran is recorded at the start`() async throws {
        try await World.run { world in
            _ = try await world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: world.newAdmin())
            try await world.ledger.set([CatalogAudit.revisionKey: Data("earlier".utf8)])
            for _ in 1...2 {
                var seen = CatalogWatcher.Seen(unrecorded: .unknown)
                for _ in 1...2 { try await world.lookAtCatalog(&seen) }
            }
            let rows = try await world.catalogRows()
            #expect(rows.map(\.kind) == ["product.added", "catalog.replaced"])
            let now = try await world.productList().json["revision"]
            #expect(rows.last?.json == ["revisionBefore": "earlier", "revisionAfter": now])
        }
    }

    @Test func `Entries of the catalog are shown as they are in the file`() async throws {
        let odd = "{\"id\" : \"odd\",\n \"type\": \"consumable\", \"metadata\": {\"n\": 1.50, \"s\": \"\\u00e9\"}}"
        try await World.run(products: SampleCatalog.text(SampleCatalog.hints, odd)) { world in
            let admin = try await world.newAdmin(.read, name: "carol")
            let list = try await world.entries(as: admin)
            #expect(list.status == 200 && list.headers[.contentType] == "application/json")
            #expect(String(decoding: list.bytes, as: UTF8.self).contains(odd))
            #expect(list.json["products"].array.map { $0["id"] } == ["com.example.hangman.tenhints", "odd"])
            #expect(list.json["terms"]["odd"]["ownership"] == "keep" && list.json["app"] == .string(World.app))
            #expect(list.headers[.eTag] == "\"\(list.json["revision"].text ?? "")\"")
            let one = try await world.call(.get, World.productPath("odd"), as: admin)
            #expect(String(decoding: one.bytes, as: UTF8.self) == odd && one.headers[.eTag] == list.headers[.eTag])
            let same = try await world.entries(as: admin, headers: [.ifNoneMatch: list.headers[.eTag] ?? ""])
            #expect(same.status == 304 && same.bytes.isEmpty)
        }
    }

    @Test func `Escaped product names in a path are decoded`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            #expect(try await world.put("a%2Fb%20%C3%A9%22", "{\"type\": \"consumable\"}", as: admin).status == 201)
            #expect(try await world.productList().json["productIDs"].array.last == "a/b é\"")
            #expect(try await world.remove("a%2Fb%20%C3%A9%22", as: admin).status == 204)
            #expect(try world.catalogText == Project.products)
        }
    }
}
