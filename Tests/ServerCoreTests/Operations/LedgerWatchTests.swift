import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// A ledger that cannot be written: nobody can buy, which is told until somebody can.
@Suite struct LedgerWatchTests {
    private static func watch(_ world: World) async throws {
        await (try #require(world.assembly.services.compactMap { $0 as? LedgerWatch }.first)).runOnce()
    }

    /// The alarm as an administrator reads it who was there before: no token can be created now.
    private static func alarm(_ world: World, as admin: Player) async throws -> JSONValue {
        let overview = try await world.call(.get, "/admin/v1/overview", as: admin)
        return overview.json["alarms"].array.first { $0["alarm"] == "ledgerNotWritable" } ?? .null
    }

    private static let troubles = [
        (begin: "PRAGMA max_page_count = 1", end: "PRAGMA max_page_count = 1000000", detail: "SQLite 13: "),
        (begin: "PRAGMA query_only = 1", end: "PRAGMA query_only = 0", detail: "SQLite 8: "),
    ]

    /// More than the pages of an empty ledger have room for.
    private static let large = Data(count: 300_000)

    @Test(arguments: [0, 1])
    func `A ledger that cannot be written is an alarm, and the server is not ready, until it can be`(
        number: Int
    ) async throws {
        let trouble = Self.troubles[number]
        try await World.run { world in
            let ledger = try #require(world.ledger as? SQLLedger)
            let (player, admin) = (try await world.newPlayer(), try await world.newAdmin(.read))
            let bought = try await world.buy("tenhints", "consumable")
            // No page is free afterwards, and a limit below what is in use leaves no room for another.
            try await ledger.set(["filler": Self.large])
            let commits = try await world.scrape().commits
            try await Self.watch(world)
            #expect(try await world.scrape().commits == commits, "nothing is written while all is well")
            #expect(try await Self.alarm(world, as: admin)["level"] == "good")

            try await ledger.execute(trouble.begin)
            await #expect(throws: LedgerUnavailable.self) { try await ledger.set(["large": Self.large]) }
            #expect(try await world.call(.get, "/ready").status == 200, "it may be the fault of that write")
            try await Self.watch(world)
            let unready = try await world.call(.get, "/ready")
            #expect(unready.status == 503 && unready.json["code"] == "storage_unavailable", "\(unready)")
            #expect(unready.headers[.retryAfter] == "10")
            #expect(try await world.call(.get, "/health").status == 200)
            #expect(try await world.scrapeAlarm(.ledgerNotWritable) == ["2", "1", "0"])
            world.clock.advance(by: 60)
            try await Self.watch(world)
            let alarm = try await Self.alarm(world, as: admin)
            #expect(alarm["level"] == "bad" && alarm["since"].text == World.start.rfc3339, "\(alarm)")
            #expect(alarm["detail"].text?.hasPrefix("Nothing can be written: \(trouble.detail)") == true, "\(alarm)")
            #expect(alarm["remedy"].text == Alarm.Kind.ledgerNotWritable.remedy)

            try await ledger.execute(trouble.end)
            try await Self.watch(world)
            #expect(try await world.call(.get, "/ready").status == 200)
            #expect(try await Self.alarm(world, as: admin)["level"] == "good")
            #expect(try await world.scrapeAlarm(.ledgerNotWritable) == ["0", "0", "0"])
            #expect(try await ledger.values(withPrefix: "writeProbe").isEmpty)
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
        }
    }

    /// Otherwise one bad request would take all servers away from the load balancer.
    @Test func `A write that fails by its own fault leaves the server ready`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            try await world.loseTables("spends")
            let path = "/v1/balances/hints/spend"
            #expect(try await world.call(.post, path, ["amount": 1], as: player, headers: .key("k")).status == 503)
            try await Self.watch(world)
            #expect(try await world.call(.get, "/ready").status == 200)
            #expect(try await world.alarm(.ledgerNotWritable)["level"] == "good")
        }
    }

    /// The server's last words in the ledger are from before: it says itself that it cannot write.
    @Test func `The status command asks the server whether it can write`() async throws {
        try await World.run { world in
            let ledger = try #require(world.ledger as? SQLLedger)
            let address = "http://127.0.0.1:\(world.port ?? 0)"
            await (try #require(world.assembly.services.compactMap { $0 as? OverviewWatch }.first)).runOnce()
            let ready = await ServerAnswer.asking(address)
            #expect(ready.isReady && !ready.isWithoutLedger)
            try await ledger.execute("PRAGMA query_only = 1")
            #expect(try await world.call(.post, "/v1/accounts").status == 503)
            try await Self.watch(world)
            let answer = await ServerAnswer.asking(address)
            #expect(!answer.isReady && answer.isWithoutLedger)
            var overview = try await Overview(world.ledger, withServersAt: world.clock.now) { nil }
            let stored = overview.alarms.first { $0.kind == .ledgerNotWritable }
            #expect(stored?.level == .good, "\(stored as Any)")
            overview.setNotWritable()
            #expect(overview.bad.map(\.kind) == [.ledgerNotWritable])
            #expect(overview.alarms.map(\.kind) == Alarm.Kind.allCases)
            let report = StatusReport(overview, answer, StartCheck(user: "quartermaster", error: nil))
                .text(for: TextOutput(isTerminal: false, hasColours: false))
            #expect(report.contains("\nbad    Writing to the ledger "), "\(report)")
            #expect(report.contains("Nothing can be written: "), "\(report)")
        }
    }
}
