import Content
import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The product list, and what an edit of the catalog does not change.
@Suite struct CatalogRouteTests {
    static let products = """
        {"apps": [{"bundleID": "com.example.hangman", "products": [
          {"id": "z", "type": "consumable", "metadata": {"icon": "z.png", "ranks": [1, 2.5, null, true]}},
          {"id": "spring", "type": "consumable", "availableFrom": "2027-03-01T00:00:00Z",
           "availableUntil": "2027-06-01T00:00:00Z"},
          {"id": "new", "type": "consumable", "minimumAppVersion": "1.10"},
          {"id": "tv", "type": "consumable", "platforms": ["tvOS", "iOS"]},
          {"id": "abroad", "type": "consumable", "storefronts": ["DEU", "FRA"]},
          {"id": "a", "type": "non-consumable", "bundles": ["ios-words", "hard-words"]}]}]}
        """

    static let autumn = "2026-11-20T00:00:00Z"

    static let clients: [(query: String, time: String, ids: [JSONValue])] = [
        ("", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("", "2027-02-28T23:59:59.999Z", ["z", "new", "tv", "abroad", "a"]),
        ("", "2027-03-01T00:00:00Z", ["z", "spring", "new", "tv", "abroad", "a"]),
        ("", "2027-05-31T23:59:59.999Z", ["z", "spring", "new", "tv", "abroad", "a"]),
        ("", "2027-06-01T00:00:00Z", ["z", "new", "tv", "abroad", "a"]),
        ("?appVersion=1.9", autumn, ["z", "tv", "abroad", "a"]),
        ("?appVersion=1.9", "2027-03-01T00:00:00Z", ["z", "spring", "tv", "abroad", "a"]),
        ("?appVersion=1.10.0", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?appVersion=2", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?appVersion=1.10.0-beta.1", autumn, ["z", "tv", "abroad", "a"]),
        ("?appVersion=1.10.1-beta.1", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?appVersion=1.10%2B45", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?appVersion=1.9+45", autumn, ["z", "tv", "abroad", "a"]),
        ("?appVersion=", autumn, ["z", "tv", "abroad", "a"]),
        ("?appVersion=two", autumn, ["z", "tv", "abroad", "a"]),
        ("?appVersion=1.2.3.4", autumn, ["z", "tv", "abroad", "a"]),
        ("?appVersion=%FF%00%F0%9F%8E%83", autumn, ["z", "tv", "abroad", "a"]),
        ("?appversion=1", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?platform=macOS", autumn, ["z", "new", "abroad", "a"]),
        ("?platform=IOS", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?platform=amiga", autumn, ["z", "new", "abroad", "a"]),
        ("?platform=macOS&platform=iOS", autumn, ["z", "new", "abroad", "a"]),
        ("?platform", autumn, ["z", "new", "abroad", "a"]),
        ("?storefront=deu", autumn, ["z", "new", "tv", "abroad", "a"]),
        ("?storefront=DE", autumn, ["z", "new", "tv", "a"]),
        ("?storefront=143443", autumn, ["z", "new", "tv", "a"]),
        ("?platform=tvOS&storefront=USA", autumn, ["z", "new", "tv", "a"]),
        ("?platform=iOS&storefront=FRA&appVersion=1.2&more=x", autumn, ["z", "tv", "abroad", "a"]),
    ]

    @Test func `The product list has what is on sale for the client, in the order of the file`() async throws {
        try await World.run(products: Self.products) { world in
            for (query, time, ids) in Self.clients {
                try world.clock.move(to: time)
                let answer = try await world.productList(query)
                #expect(answer.status == 200 && answer.json["productIDs"] == .array(ids), "\(query): \(answer)")
                #expect(answer.json["products"].array.map { $0["id"] } == ids)
            }
            let list = try await world.productList().json["products"].array
            #expect(
                list.first == [
                    "id": "z", "type": "consumable", "bundles": [],
                    "metadata": ["icon": "z.png", "ranks": [1, .number(2.5), nil, true]],
                ])
            var contents: [JSONValue] = []
            for bundle: BundleName in ["ios-words", "hard-words"] {
                let manifest = try #require(
                    try await world.assembly.routes.services.content.manifest(of: bundle, version: nil))
                let version = JSONValue.string(manifest.version.description)
                contents.append(["bundle": .string(bundle.text), "version": version, "size": .integer(manifest.bytes)])
            }
            #expect(
                list.last == [
                    "id": "a", "type": "non-consumable", "bundles": ["ios-words", "hard-words"], "metadata": [:],
                    "contents": .array(contents),
                ])
        }
    }

    /// A list for some clients is a representation of its own: whoever has it gets 304, and nobody else does.
    @Test func `Different product lists have different entity tags`() async throws {
        try await World.run(products: Self.products) { world in
            var tags: [Data: String] = [:]
            for (query, time, _) in Self.clients {
                try world.clock.move(to: time)
                let answer = try await world.productList(query)
                let tag = try #require(answer.headers[.eTag])
                #expect(tags.updateValue(tag, forKey: answer.bytes) ?? tag == tag, "\(query)")
                let again = try await world.productList(query, headers: [.ifNoneMatch: tag])
                #expect(again.status == 304 && again.bytes.isEmpty && again.headers[.eTag] == tag, "\(query)")
            }
            #expect(Set(tags.values).count == tags.count && tags.count == Set(Self.clients.map(\.ids)).count)
        }
    }

    @Test func `A sale begins and ends by itself`() async throws {
        try await World.run(products: Self.products) { world in
            try world.clock.move(to: "2027-02-28T23:59:59Z")
            var tag = try await world.productList().headers[.eTag] ?? ""
            for time in ["2027-03-01T00:00:00Z", "2027-06-01T00:00:00Z"] {
                #expect(try await world.productList(headers: [.ifNoneMatch: tag]).status == 304)
                try world.clock.move(to: time)
                let answer = try await world.productList(headers: [.ifNoneMatch: tag])
                #expect(answer.status == 200 && answer.headers[.eTag] != tag, "\(time)")
                tag = answer.headers[.eTag] ?? ""
            }
        }
    }

    /// The operator's words for the app are not for the server to read or correct.
    @Test func `The metadata of products is passed on unchanged`() async throws {
        let metadata: JSONValue = [
            "": [], "ünïcode \u{1F383}": ["a\"b\\c\n\u{0}": nil], "zero": 0, "least": .integer(.min),
            "most": .integer(.max), "tenth": .number(0.1), "tiny": .number(1e-300), "type": "lootbox",
            "deep": [[[["x": [true, false, nil]]]]], "url": "https://example.com/a/b?c=d&e=f",
        ]
        let text = String(decoding: try JSONEncoder().encode(metadata), as: UTF8.self)
        let entry = #"{"id": "a", "type": "consumable", "metadata": \#(text)}"#
        try await World.run(products: SampleCatalog.text(entry)) { world in
            let list = try await world.productList().json
            #expect(list["products"][0]["metadata"] == metadata)
        }
    }

    @Test func `A client that has the product list gets 304`() async throws {
        try await World.run(products: Self.products) { world in
            let first = try await world.productList()
            let tag = try #require(first.headers[.eTag])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""), "strong")
            for condition in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
                let answer = try await world.productList(headers: [.ifNoneMatch: condition])
                #expect(answer.status == 304 && answer.bytes.isEmpty && answer.headers[.eTag] == tag, "\(condition)")
            }
            for condition in ["\"x\"", "x", ""] {
                let answer = try await world.productList(headers: [.ifNoneMatch: condition])
                #expect(answer.status == 200 && answer.bytes == first.bytes, "\(condition)")
            }
            let other = try await world.productList("?appVersion=1", headers: [.ifNoneMatch: tag])
            #expect(other.status == 200 && other.headers[.eTag] != tag)
            try await world.call(.get, "/v1/apps/com.example.chess/products").expect(.init(404, "unknown_app"))
        }
    }

    static let theme = """
        {"id": "com.example.hangman.theme", "type": "non-renewing", "duration": "P1M", "bundles": ["night-theme"]}
        """

    @Test func `An edit of the catalog changes nothing that was bought`() async throws {
        let (hints, words) = (SampleCatalog.hints, SampleCatalog.words)
        let before = SampleCatalog.text(hints, words, Self.theme)
        let after = SampleCatalog.text(
            hints.replacing("10", with: "5"), words.replacing("hard-words", with: "ios-words"))
        try await World.run(products: before) { world in
            var seen = CatalogWatcher.Seen()
            let player = try await world.newPlayer()
            let orders = [("tenhints", "consumable"), ("hardwords", "non-consumable"), ("theme", "non-renewing")]
            for (product, type) in orders {
                _ = try await world.post(world.buy(product, type).signedTransaction, as: player)
            }
            let theme = try await world.entitlement(to: "theme", of: player)
            try world.write(after)
            try await world.lookAtCatalog(&seen)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            #expect(try await world.entitlement(to: "theme", of: player) == theme, "off sale, and bought")
            #expect(try await world.entitlement(to: "hardwords", of: player)["bundles"] == ["hard-words", "ios-words"])
            for bundle in ["hard-words", "ios-words", "night-theme"] {
                #expect(try await world.call(.get, "/v1/bundles/\(bundle)", as: player).status == 200, "\(bundle)")
            }
            _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 15])
            let late = try await world.post(world.buy("theme", "non-renewing").signedTransaction, as: player)
            #expect(late.json["transactions"][0]["reason"] == "unknownProduct")
            #expect(try await world.entitlement(to: "theme", of: player)["until"] == theme["until"])
        }
    }
}

extension TestClock {
    func move(to time: String) throws { advance(by: try #require(Date(rfc3339: time)).timeIntervalSince(now)) }
}
