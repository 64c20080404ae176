import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// The list of notifications, newest first.
@Suite struct NotificationListTests {
    private func notification(_ id: String, of app: BundleID? = "hangman") -> AppStoreNotification {
        AppStoreNotification(
            id: id, type: "TEST", subtype: id == "b" ? "X" : nil, app: app, environment: app == nil ? nil : .production,
            signedDate: day(1), content: id)
    }

    /// Page by page, each is there once, also those of the same time.
    @Test(arguments: LedgerKind.allCases)
    func `The pages of the list have each notification once`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let days = ["a": 300, "b": 301, "c": 301, "d": 301, "e": 303]
        for (id, date) in days.sorted(by: { $0.key > $1.key }) {
            _ = try await ledger.ledger.record(notification(id), in: ledger.context(on: day(date)))
        }
        var fetched = notification("f", of: nil)
        fetched.isDelivered = false
        _ = try await ledger.ledger.enqueue(fetched, retryAt: day(400), at: day(302))
        var pages: [[String]] = []
        var position: ListedNotification.Position?
        repeat {
            let page = try await ledger.ledger.notifications(of: nil, after: position, limit: 2)
            pages.append(page.map(\.id))
            position = page.last?.position
        } while position != nil
        #expect(pages == [["e", "f"], ["d", "c"], ["b", "a"], []])
        let all = try await ledger.ledger.notifications(of: nil, after: nil, limit: 10)
        #expect(all.map { $0.appliedDate == nil } == [false, true, false, false, false, false])
        #expect(all.map { $0.deliveredDate == nil } == [false, true, false, false, false, false])
        #expect(all[4].deliveredDate == day(301))
        #expect(all[4].subtype == "X" && all[4].app == "hangman" && all[4].environment == .production)
        #expect(all[4].recordedDate == day(301) && all[4].signedDate == day(1))
        #expect(all[1].app == nil && all[1].environment == nil)
    }

    /// Those of one app alone, which another app's do not crowd out.
    @Test(arguments: LedgerKind.allCases)
    func `The notifications of one app are listed alone`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for (id, app, date) in [
            ("a", "chess", 300), ("b", "hangman", 301), ("c", "chess", 301), ("d", "chess", 301), ("e", nil, 302),
        ] as [(String, BundleID?, Int)] {
            _ = try await ledger.ledger.record(notification(id, of: app), in: ledger.context(on: day(date)))
        }
        var (pages, position): ([[String]], ListedNotification.Position?) = ([], nil)
        repeat {
            let page = try await ledger.ledger.notifications(of: "chess", after: position, limit: 2)
            pages.append(page.map(\.id))
            position = page.last?.position
        } while position != nil
        #expect(pages == [["d", "c"], ["a"], []])
        #expect(try await ledger.ledger.notifications(of: "hangman", after: nil, limit: 9).map(\.id) == ["b"])
        #expect(try await ledger.ledger.notifications(of: "draughts", after: nil, limit: 9) == [])
    }

    /// The first page of a long list is read by the index alone, also of an app with few notifications.
    @Test(arguments: [(false, "notificationsRecorded"), (true, "notificationsOfApp (app=? AND recordedAt<?)")])
    func `A page of notifications is read by an index`(isOfOneApp: Bool, index: String) async throws {
        let ledger = try LedgerKind.sqliteInMemory.open()
        let sql = try #require(ledger.ledger as? SQLLedger)
        let plan = try await sql.read { rows in
            try rows.all(
                "EXPLAIN QUERY PLAN \(SQLLedger.notifications(ofOneApp: isOfOneApp).text(in: .sqlite))",
                isOfOneApp ? [1, "", 1, "hangman"] : [1, "", 1]
            ).map { row -> String in try row["detail"] }
        }
        let isSorted = plan.contains { $0.contains("B-TREE FOR ORDER BY") }
        #expect(plan.contains { $0.contains(index) } && (!isOfOneApp || !isSorted), "\(plan)")
    }
}
