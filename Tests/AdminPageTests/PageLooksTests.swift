import Foundation
import HTTPTypes
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore

/// The parts that all pages have in common.
@Suite struct PageLooksTests {
    @Test func `An administrator sees times in a time zone that the browser keeps`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            var bob = try await world.visitor(.read)
            let player = try await world.newPlayer()
            let chosen = try await bob.get("/admin/time-zone?zone=Europe/Berlin")
            let cookie = try #require(chosen.headers[.setCookie])
            #expect(cookie.hasPrefix("__Host-qm_zone=Europe/Berlin; ") && cookie.contains("HttpOnly"))
            let session = try #require(bob.cookie)
            bob.cookie = "\(session); __Host-qm_zone=Europe/Berlin"
            let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
            let html = try await bob.get("/admin/accounts/\(player.account)").html
            #expect(html.contains(PageTime(World.start, now: World.start, in: zone).text), "\(html)")
            #expect(html.contains("Times are in Europe/Berlin."))
            bob.cookie = "\(session); __Host-qm_zone=Nowhere/x"
            #expect(try await bob.get("/admin/accounts").html.contains("Times are in UTC."))
            #expect(try await bob.get("/admin/time-zone?zone=Nowhere/x").status == 400)
        }
    }

    @Test func `Facts stand beside lists, and an account's ID is in its head once`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (bob, player) = (try await world.visitor(.read), try await world.newPlayer())
            let html = try await bob.get("/admin/accounts/\(player.account)").html
            let side = try #require(html.firstRange(of: "<div class=\"side\">"))
            let facts = try #require(html.firstRange(of: "<dt>Account</dt>"))
            #expect(side.upperBound < facts.lowerBound)
            #expect(html.contains("<h1>Account \(player.account.prefix(8))</h1>"))
            let list = try await bob.get("/admin/accounts").html
            #expect(list.contains("class=\"id\" title=\"\(player.account)\""), "\(list)")
        }
    }

    @Test func `Filters are folded until one is set, and checks in order are folded`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let bob = try await world.visitor(.read)
            for (path, query) in [("deliveries", "olderThan=2"), ("audit", "actor=x"), ("receipts", "bundleID=x")] {
                #expect(try await bob.get("/admin/\(path)").html.contains("<details class=\"filter\"><summary>"))
                let filtered = try await bob.get("/admin/\(path)?\(query)").html
                #expect(filtered.contains("<details class=\"filter\" open><summary>"), "\(path)")
            }
            let overview = try await bob.get("/admin").html
            #expect(overview.firstMatch(of: #/<summary>\d+ checks are in order/#) != nil, "\(overview)")
            let links = try #require(overview.firstMatch(of: #/<summary>Players<\/summary>(?<links>[\s\S]*?)<\/ul>/#))
            #expect(links.links.contains("/admin/accounts\"") && !links.links.contains("/admin/products"))
            let nobody = try await bob.get("/admin/accounts/\(UUID().uuidString)")
            #expect(nobody.status == 404 && !nobody.html.contains("Nothing was changed"))
        }
    }
}
