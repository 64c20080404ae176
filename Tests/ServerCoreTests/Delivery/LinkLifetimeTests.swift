import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// Links that are valid longer, for downloads that the system schedules.
@Suite struct LinkLifetimeTests {
    private static func seconds(_ query: String, _ world: World, _ player: Player, of bundle: String) async throws
        -> Int
    {
        let answer = try await world.manifest(of: bundle, query, as: player).json
        let expires = try #require(answer["expires"].text.flatMap { Date(rfc3339: $0) })
        return Int(expires.timeIntervalSince(world.clock.now).rounded())
    }

    @Test func `Links are valid as long as was asked for`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let lifetimes = [
                ("", 900), ("?linkLifetime=60", 60), ("?linkLifetime=3600", 3_600), ("?linkLifetime=86400", 86_400),
            ]
            for (query, expected) in lifetimes {
                #expect(try await Self.seconds(query, world, player, of: "hard-words") == expected, "\(query)")
            }
            for text in ["59", "86401", "0", "-60", "a", "", "1.5", "99999999999999999999"] {
                let answer = try await world.manifest(of: "hard-words", "?linkLifetime=\(text)", as: player)
                #expect(answer.status == 422 && answer.json["code"] == "invalid_request", "\(text): \(answer)")
            }
            let answer = try await world.manifest(of: "hard-words", "?linkLifetime=86400", as: player).json
            let link = try #require(answer["files"][0]["url"].text)
            world.clock.advance(by: 86_399)
            #expect(try await world.call(.get, link).status == 200)
            world.clock.advance(by: 1)
            #expect(try await world.call(.get, link).json["code"] == "invalid_grant")
        }
    }

    @Test func `No link is valid longer than the access`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "nighttheme.month", "non-renewing")
            let entitlement = try await world.entitlement(to: "nighttheme.month", of: player)
            let until = try #require(entitlement["until"].text.flatMap { Date(rfc3339: $0) })
            world.clock.advance(by: until.timeIntervalSince(world.clock.now) - 1_000)
            #expect(try await Self.seconds("?linkLifetime=86400", world, player, of: "night-theme") == 1_000)
            #expect(try await Self.seconds("?linkLifetime=999", world, player, of: "night-theme") == 999)
            // Access without an end counts, too.
            let club = try await world.buy("club.monthly", "auto-renewable")
            _ = try await world.post(club.signedTransaction, as: player)
            #expect(try await Self.seconds("?linkLifetime=86400", world, player, of: "night-theme") == 86_400)
        }
    }

    @Test func `An account with a refund gets no long links`() async throws {
        try await World.run(products: Self.withOpenTheme) { world in
            let player = try await world.buyer(of: "hardwords")
            let hints = try await world.buy("tenhints", "consumable")
            _ = try await world.post(hints.signedTransaction, as: player)
            func longest(_ bundle: String) async throws -> Int {
                try await Self.seconds("?linkLifetime=86400", world, player, of: bundle)
            }
            #expect(try await longest("hard-words") == 86_400)
            world.clock.advance(by: 60)
            let refund = try await world.act("transactions/\(hints.transactionID)/refund")["signedTransaction"].text
            _ = try await world.post(try #require(refund), as: player)
            #expect(try await longest("hard-words") == 900)
            #expect(try await longest("night-theme") == 900)
            #expect(try await Self.seconds("?linkLifetime=61", world, player, of: "hard-words") == 61)
            let other = try await world.buyer(of: "hardwords")
            #expect(try await Self.seconds("?linkLifetime=901", world, other, of: "hard-words") == 901)
            world.clock.advance(by: 60)
            let reversed = try await world.act("transactions/\(hints.transactionID)/refund-reversed")[
                "signedTransaction"]
            _ = try await world.post(try #require(reversed.text), as: player)
            #expect(try await longest("hard-words") == 86_400)
        }
    }

    static let withOpenTheme = Project.products.replacing(
        #""products": ["#, with: #""openBundles": ["night-theme"], "products": ["#)

    @Test func `The delivery records the lifetime of its links`() async throws {
        try await World.run { world in
            let (admin, player) = (try await world.newAdmin(.read), try await world.buyer(of: "hardwords"))
            func recorded() async throws -> JSONValue {
                try await world.call(.get, "/admin/v1/deliveries", as: admin).json["deliveries"][0]["linkLifetime"]
            }
            for (query, expected) in [
                ("", .null), ("?linkLifetime=3600", 3_600), ("", 3_600), ("?linkLifetime=60", 3_600),
                ("?linkLifetime=7200", 7_200),
            ] as [(String, JSONValue)] {
                _ = try await world.manifest(of: "hard-words", query, as: player)
                #expect(try await recorded() == expected, "\(query)")
            }
            world.clock.advance(by: 3_600)
            _ = try await world.manifest(of: "hard-words", as: player)
            #expect(try await recorded() == .null)
        }
    }

    @Test func `The list of bundles has size and date`() async throws {
        try await ContentFolder.serve("1.0.0") { world, content in
            let player = try await world.buyer(of: "hardwords")
            world.clock.advance(by: 90.5)
            try content.write("1.1.0", of: "hard-words")
            try await content.reload(in: world)
            let list = try await world.call(.get, "/v1/bundles", as: player).json["bundles"]
            let manifest = try await world.manifest(of: "hard-words", as: player).json
            #expect(manifest["version"] == "1.1.0" && list[0]["size"] == manifest["files"][0]["size"])
            let date = try #require(list[0]["publishedAt"].text)
            let published = try #require(Date(rfc3339: date))
            #expect(date.count == 20 && abs(published.timeIntervalSince(world.clock.now)) < 1)
            let none = try await world.call(.get, "/v1/bundles?appVersion=1", as: player).json["bundles"]
            #expect(none == list, "no version of the app is excluded")
        }
    }
}
