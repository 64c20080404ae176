import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Placements: which products a place in the app offers, in which order, and to whom.
@Suite struct PlacementRouteTests {
    static let catalog = """
        {"apps": [{"bundleID": "com.example.hangman", "placements": {
            "shop": ["c", "a"],
            "outOfHints": [
              {"products": ["b"], "when": {"storefronts": ["DEU"], "platforms": ["iOS"]},
               "metadata": {"title": {"de": "Keine Hinweise mehr?"}}},
              {"products": ["c", "b"], "when": {"minimumAppVersion": "2", "maximumAppVersion": "2.9"}},
              {"products": ["a", "b"], "when": {"buckets": [0, 49], "availableUntil": "2027-01-01T00:00:00Z"},
               "metadata": {"test": "A"}},
              {"products": ["b", "a"], "when": {"buckets": [50, 98]}, "metadata": {"test": "B"}}],
            "closed": []},
          "products": [
            {"id": "a", "type": "consumable"}, {"id": "b", "type": "consumable", "metadata": {"n": 1}},
            {"id": "c", "type": "non-consumable", "bundles": ["hard-words"], "minimumAppVersion": "1.5"}]}]}
        """
    static let autumn = "2026-11-20T00:00:00Z"

    static let requests: [(query: String, time: String, ids: [JSONValue], metadata: JSONValue)] = [
        ("?placement=shop", autumn, ["c", "a"], [:]),
        ("?placement=shop&appVersion=1.4", autumn, ["a"], [:]),
        ("?placement=closed", autumn, [], [:]),
        ("?placement=outOfHints", autumn, ["b"], ["title": ["de": "Keine Hinweise mehr?"]]),
        ("?placement=outOfHints&storefront=deu", autumn, ["b"], ["title": ["de": "Keine Hinweise mehr?"]]),
        ("?placement=outOfHints&storefront=FRA", autumn, ["c", "b"], [:]),
        ("?placement=outOfHints&platform=macOS&appVersion=2.9", autumn, ["c", "b"], [:]),
        ("?placement=outOfHints&platform=macOS&appVersion=1.9", autumn, ["a", "b"], ["test": "A"]),
        ("?placement=outOfHints&platform=macOS&appVersion=3", autumn, ["a", "b"], ["test": "A"]),
        ("?placement=outOfHints&platform=macOS&appVersion=3&bucket=49", autumn, ["a", "b"], ["test": "A"]),
        ("?placement=outOfHints&platform=macOS&appVersion=3&bucket=50", autumn, ["b", "a"], ["test": "B"]),
        ("?placement=outOfHints&platform=macOS&appVersion=3&bucket=98", autumn, ["b", "a"], ["test": "B"]),
        ("?placement=outOfHints&platform=macOS&appVersion=3&bucket=99", autumn, [], [:]),
        ("?placement=outOfHints&platform=macOS&appVersion=3", "2027-01-01T00:00:00Z", [], [:]),
        (
            "?placement=outOfHints&platform=macOS&appVersion=3&bucket=50", "2027-01-01T00:00:00Z", ["b", "a"],
            ["test": "B"]
        ),
        ("?bucket=50", autumn, ["a", "b", "c"], nil),
    ]

    @Test func `A placement offers the first variant for the client`() async throws {
        try await World.run(products: Self.catalog) { world in
            for (query, time, ids, metadata) in Self.requests {
                try world.clock.move(to: time)
                let answer = try await world.productList(query)
                #expect(answer.status == 200 && answer.json["productIDs"] == .array(ids), "\(query): \(answer)")
                #expect(answer.json["products"].array.map { $0["id"] } == ids)
                #expect(answer.json["placement"]["metadata"] == metadata, "\(query)")
                let tag = answer.headers[.eTag] ?? ""
                #expect(try await world.productList(query, headers: [.ifNoneMatch: tag]).status == 304)
            }
            let list = try await world.productList("?placement=shop").json
            #expect(list["placement"] == ["name": "shop", "metadata": [:]])
            #expect(list["products"][0]["contents"][0]["bundle"] == "hard-words")
            #expect(try await world.productList("?platform=iOS").json["placement"] == .null)
        }
    }

    @Test func `An unknown placement and an invalid bucket are refused`() async throws {
        try await World.run(products: Self.catalog) { world in
            for name in ["none", "", "Shop", "shop%00"] {
                try await world.productList("?placement=\(name)").expect(.init(404, "unknown_placement"))
            }
            for bucket in ["-1", "100", "a", "", "1.5", "99999999999999999999"] {
                let answer = try await world.productList("?placement=shop&bucket=\(bucket)")
                #expect(answer.status == 400 && answer.json["code"] == "invalid_request", "\(bucket): \(answer)")
            }
        }
    }

    /// A product can always be removed; the placement then offers the rest.
    @Test func `A product that was removed is not offered by a placement`() async throws {
        let log = LogRecorder()
        try await World.run(products: Self.catalog, logger: log.logger(.warning)) { world in
            let admin = try await world.newAdmin()
            #expect(!log.lines.contains { $0.contains("placement") })
            #expect(try await world.productList("?placement=shop").json["productIDs"] == ["c", "a"])
            #expect(try await world.remove("c", as: admin).status == 204)
            #expect(try await world.productList("?placement=shop").json["productIDs"] == ["a"])
            let reported = log.lines.filter { $0.contains("placement") }
            #expect(
                reported
                    == ["outOfHints", "shop"].map { name in
                        "a placement names an unknown product mistake=apps[0].placements.\(name): there is no product \"c\""
                    })
        }
    }

    /// Clients of one class get one cached list; the preview, which is not cached, shows whether it is right.
    @Test func `A cached product list is the one that would be made now`() async throws {
        try await World.run(products: Self.catalog) { world in
            let (admin, path) = (try await world.newAdmin(), "/admin/v1/apps/\(World.app)/preview")
            var generator = SeededGenerator(seed: 7)
            let values: [(String, [String])] = [
                ("appVersion", ["1.4", "1.5", "1.5.0", "1.9", "2", "2.0.1", "2.9", "2.9.1", "3", "x", "2-beta"]),
                ("platform", ["iOS", "IOS", "macOS", "tvOS", ""]), ("storefront", ["DEU", "deu", "FRA", "USA"]),
                ("placement", ["shop", "outOfHints", "outOfHints", "closed"]),
                ("bucket", ["0", "49", "50", "98", "99"]),
            ]
            for round in 0..<400 {
                if round == 200 { try world.clock.move(to: "2027-01-01T00:00:00Z") }
                let chosen = values.filter { _ in generator.flip() }
                let query = chosen.map { "\($0.0)=\($0.1.randomElement(using: &generator) ?? "")" }
                    .joined(separator: "&")
                let list = try await world.productList("?\(query)")
                let preview = try await world.call(.get, "\(path)?\(query)", as: admin)
                #expect(list.status == 200 && list.json == preview.json["list"], "\(query): \(list)")
                #expect(preview.json["at"].text == world.clock.now.rfc3339)
            }
        }
    }

    @Test func `The product list can be previewed for any time`() async throws {
        try await World.run(products: Self.catalog) { world in
            let (admin, path) = (try await world.newAdmin(), "/admin/v1/apps/\(World.app)/preview")
            for (query, time, ids, _) in Self.requests {
                let more = query + "&at=\(time)"
                let answer = try await world.call(.get, path + more, as: admin)
                #expect(answer.status == 200 && answer.json["list"]["productIDs"] == .array(ids), "\(more): \(answer)")
                #expect(answer.json["at"] == .string(time))
            }
            for (query, status) in [
                ("?at=tomorrow", 400), ("?bucket=100", 400), ("?placement=none", 404), ("?x=1", 422),
            ] {
                #expect(try await world.call(.get, path + query, as: admin).status == status, "\(query)")
            }
            try await world.call(.get, "/admin/v1/apps/none/preview", as: admin).expect(.init(404, "unknown_app"))
        }
    }

    /// The bucket of an account, as docs/operate/catalog.md has apps compute it.
    static func bucket(_ placement: String, _ account: AccountID) -> Int {
        let hash = SHA256.hash(data: Data("\(placement):\(account.text.lowercased())".utf8))
        return Int(hash.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 100)
    }

    /// Whatever the split, an account is on one side, independent of when it asks, and the sides are as large as the
    /// split says.
    @Test func `An account is always on the same side of a split`() throws {
        let known = AccountID(try #require(UUID(uuidString: "0B0E5C1E-0000-4000-8000-000000000001")))
        #expect(Self.bucket("shop", known) == 80 && Self.bucket("outOfHints", known) == 44)
        var generator = SeededGenerator(seed: 16)
        for _ in 0..<20 {
            let (name, split) = (
                generator.text(of: ["a", "é", "shop"], upTo: 3), Int.random(in: 1...99, using: &generator)
            )
            let text = """
                {"apps": [{"bundleID": "a", "placements": {"x\(name)": [
                 {"products": ["a"], "when": {"buckets": [0, \(split - 1)]}},
                 {"products": ["b"], "when": {"buckets": [\(split), 99]}}]}, "products": []}]}
                """
            let app = try #require(
                try CatalogFile(Data(text.utf8), bundles: [], handlers: Server.standardHandlers).catalog.apps.first)
            let placement = try #require(app.listing.placements["x\(name)"])
            let accounts = (0..<2_000).map { _ in AccountID(UUID(from: &generator)) }
            func side(_ account: AccountID, at date: Date) -> ProductID? {
                placement.variant(for: .init(), bucket: Self.bucket("x\(name)", account), at: date)?.products.first
            }
            let sides = accounts.map { side($0, at: World.start) }
            #expect(accounts.map { side($0, at: World.start + 9e8) } == sides && !sides.contains(nil))
            let share = sides.filter { $0 == "a" }.count * 100 / accounts.count
            #expect(abs(share - split) <= 5, "\(share) of \(split)")
        }
    }
}

extension UUID {
    fileprivate init(from generator: inout SeededGenerator) {
        let bytes = withUnsafeBytes(of: (generator.next(), generator.next())) { Array($0) }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
