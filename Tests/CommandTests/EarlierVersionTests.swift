import Foundation
import InAppPurchase
import Ledger
import PostgresSupport
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import LedgerSQL
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// An operator hears of what an earlier version left in a ledger, until a command has repaired it.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct EarlierVersionTests {
    enum Database: CaseIterable { case sqlite, postgres }

    private let players = [AccountID(UUID()), AccountID(UUID())]

    /// A subscription whose last period the second player paid for, and one with a period that was counted twice; both
    /// are the first player's.
    private func leave(in ledger: any Ledger) async throws {
        for (number, player) in players.enumerated() {
            let secret = Data([UInt8(number)])
            try await ledger.createAccount(player, token: secret, recoveryCode: secret, at: World.start)
        }
        let catalog = try CatalogFile.decode(Data(Project.products.utf8), handlers: Server.standardHandlers)
        let context = RecordingContext(catalog: catalog, date: World.start)
        for (id, original, days) in [("10", "10", 70.0), ("11", "10", 10), ("20", "20", 10)] {
            let date = World.start - days * 86_400
            let copy = Transaction(
                id: TransactionID(stored: id), originalID: TransactionID(stored: original),
                app: BundleID(stored: World.app), environment: .production,
                productID: ProductID(stored: "\(World.app).club.monthly"), purchaseDate: date,
                expirationDate: date + 30 * 86_400, appAccountToken: id == "11" ? nil : players[0].uuid,
                signedDate: date, isSigned: true)
            _ = try await ledger.observe(VerifiedReceipt(transactions: [copy]), cause: id, in: context)
        }
        let token = "{\"appAccountToken\":\"\(players[1].uuid.uuidString)\","
        try await (try #require(ledger as? SQLLedger)).database.write { db in
            try db.run("UPDATE transactions SET facts = '\(token)' || substr(facts, 2) WHERE id = '11'", [])
            try db.run("UPDATE transactions SET isDoubled = 1 WHERE id = '20'", [])
            try db.run("UPDATE lines SET owners = NULL", [])
        }
    }

    @Test(arguments: Database.allCases)
    func `What an earlier version left is an alarm until it is repaired`(database: Database) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let place = database == .sqlite ? folder.database : try PostgresServer.shared.get().newLedger()
        let ledger = try LedgerOpener.open(place, handlers: Server.standardHandlers)
        try await leave(in: ledger)
        try await World.run(ledger: ledger, environment: World.pagesOn) { world in
            #expect(try await world.alarm(.misplacedPurchases)["level"] == "good", "nobody has looked yet")
            let counter = try #require(world.assembly.services.compactMap { $0 as? MisplacedPurchaseCounter }.first)
            await counter.runOnce()
            let misplaced = try await world.alarm(.misplacedPurchases)
            #expect(misplaced["level"] == "bad" && misplaced["count"] == 1, "\(misplaced)")
            #expect(misplaced["remedy"].text == Alarm.Kind.misplacedPurchases.remedy)
            let doubled = try await world.alarm(.doubledPeriods)
            #expect(doubled["level"] == "waiting" && doubled["count"] == 1, "\(doubled)")
            #expect(doubled["detail"].text?.contains("ledger rebuild --periods") == true && doubled["remedy"] == .null)
            #expect(try await world.scrapeAlarm(.misplacedPurchases) == ["2", "1", "0"])
            #expect(try await world.scrapeAlarm(.doubledPeriods) == ["1", "1", "0"])
            let page = try await world.visitor(.read).get("/admin").html.unescaped
            for kind in [Alarm.Kind.misplacedPurchases, .doubledPeriods] { #expect(page.contains(kind.title)) }
            try await expectTheCommandsEndIt(place, ledger, world)
        }
    }

    private func expectTheCommandsEndIt(_ place: String, _ ledger: any Ledger, _ world: World) async throws {
        let run = { (arguments: [String]) in
            try await Program.run(arguments, environment: ["QUARTERMASTER_DATABASE": place])
        }
        let status = try await run(["status"])
        #expect(status.output.contains(/\nbad +Bought, and with a former owner +1 purchase +-/), "\(status)")
        #expect(status.output.contains(/\nwaiting +Periods counted twice +1 period +-/), "\(status)")
        #expect(status.output.contains(": \(Alarm.Kind.misplacedPurchases.remedy)\n"), "\(status)")

        // A number that is not true any more, and larger than any that is shown.
        try await ledger.setMisplacedPurchaseCount(1_000)
        #expect(try await world.alarm(.misplacedPurchases)["count"] == 101)
        let listed = try await run(["ledger", "rebuild", "--owners", "--check"])
        #expect(listed.status == 0 && listed.output.contains("paid by account \(players[1].text)"), "\(listed)")
        #expect(try await world.alarm(.misplacedPurchases)["count"] == 1)

        for (flag, kind) in [("--owners", Alarm.Kind.misplacedPurchases), ("--periods", .doubledPeriods)] {
            #expect(try await run(["ledger", "rebuild", flag]).status == 0)
            let alarm = try await world.alarm(kind)
            #expect(alarm["level"] == "good" && alarm["count"] == 0, "\(alarm)")
        }
        let well = try await run(["status"])
        #expect(well.output.contains(/\ngood +Bought, and with a former owner +- +-/), "\(well)")
        #expect(well.output.contains(/\ngood +Periods counted twice +- +-/), "\(well)")
    }
}
