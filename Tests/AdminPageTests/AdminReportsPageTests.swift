@testable import QuartermasterServer
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// The charts of the last days.
@Suite struct AdminReportsPageTests {
    @Test func `The charts have the numbers of the reports`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try await world.newPlayer()
            let first = try await world.buy("hardwords", "non-consumable", ["price": 1_990, "currency": "EUR"])
            _ = try await world.post(first.signedTransaction, as: player)
            world.clock.advance(by: 86_400)
            for _ in 0..<2 {
                _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            }
            let refund = try await world.act("transactions/\(first.transactionID)/refund")
            _ = try await world.post(try #require(refund["signedTransaction"].text), as: player)
            let bob = try await world.visitor(.read)
            let html = try await bob.get("/admin/reports").html
            let (yesterday, today) = (World.start.rfc3339.prefix(10), world.clock.now.rfc3339.prefix(10))
            #expect(html.contains("3 in 30 days, most of them on \(today): 2."), "\(html)")
            #expect(html.contains("<title>\(yesterday): 1</title>") && html.contains("<title>\(today): 2</title>"))
            #expect(html.contains("1 in 30 days, most of them on \(today): 1.") && html.contains("1.99 EUR"))
            #expect(
                html.matches(of: #/<rect /#).count == 240 && html.matches(of: #/<svg [^>]*aria-labelledby/#).count == 8)
            #expect(html.matches(of: #/<details>/#).count == 8 && !html.contains("style="))
            #expect(try await bob.get("/admin/reports?environment=Sandbox").html.contains("0 in 30 days."))
            #expect(
                try await bob.get("/admin/reports?app=\(World.app)&environment=Production").html.contains(
                    "3 in 30 days"))
            #expect(try await bob.get("/admin/reports?app=x").status == 404)
            #expect(try await bob.get("/admin/reports?environment=x").status == 400)
            // The same of the stored sums, which have no news.
            let worker = try #require(world.assembly.services.compactMap { $0 as? ReportDayWorker }.first)
            await worker.runOnce()
            #expect(try await bob.get("/admin/reports").html == html)
            world.clock.advance(by: 29 * 86_400)
            let later = try await world.visitor(.read, name: "later")
            #expect(try await later.get("/admin/reports").html.contains("2 in 30 days"), "the first is too old")
        }
    }

    /// With many purchases on a day the page has the numbers of some seconds ago, and says so; never silently only a
    /// part of them.
    @Test func `The reports page says as of when its numbers are`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let account = AccountID(UUID())
            try await world.ledger.createAccount(account, token: Data([1]), recoveryCode: Data([1]), at: World.start)
            try await world.record(0..<300, of: account)
            let worker = try #require(world.assembly.services.compactMap { $0 as? ReportDayWorker }.first)
            let bob = try await world.visitor(.read)
            #expect(try await bob.get("/admin/reports").html.contains("Not everything is counted yet"))
            await worker.runOnce()
            let counted = try await bob.get("/admin/reports").html
            #expect(counted.contains("300 in 30 days") && counted.contains("today included. Further"))
            try await world.record(300..<301, of: account)
            let old = try await bob.get("/admin/reports").html
            #expect(old.contains("300 in 30 days") && old.contains("today included, as of"), "\(old)")
            world.clock.advance(by: 1)
            let pauses = Mutex([Duration]())
            var patient = worker
            patient.sleep = { pause in pauses.withLock { $0.append(pause) } }
            await patient.runOnce()
            #expect(pauses.withLock(\.self) == [ReportDayWorker.pause(after: 301)])
            let new = try await bob.get("/admin/reports").html
            #expect(new.contains("301 in 30 days") && new.contains("today included. Further"), "\(new)")
        }
    }
}

/// The share of a core that the sums of reports take.
@Suite struct ReportDayWorkerTests {
    @Test(arguments: [(0, 0), (301, 0), (20_000, 0), (20_002, 1), (120_000, 50_000)])
    func `The pause after a run grows with what it counted`(after transactions: Int, milliseconds: Int) {
        #expect(ReportDayWorker.pause(after: transactions) == .milliseconds(milliseconds))
    }
}

extension World {
    fileprivate func record(_ numbers: Range<Int>, of account: AccountID) async throws {
        let copies = numbers.map { number in
            let id = TransactionID(stored: "\(9_000_000 + number)")
            return Transaction(
                id: id, originalID: id, app: BundleID(stored: World.app), environment: .production,
                productID: "tenhints", purchaseDate: clock.now, signedDate: clock.now, isSigned: true)
        }
        let name = "\(numbers)"
        _ = try await ledger.record(
            Receipt(
                id: "r_\(name)", account: account, kind: .signedTransaction, content: name, digest: Data(name.utf8)),
            .success(VerifiedReceipt(transactions: copies)),
            in: RecordingContext(catalog: Catalog(), date: clock.now))
    }
}
