import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// How many purchases an earlier version left with their former owners is found once, page by page.
@Suite struct MisplacedPurchaseTests {
    /// Five subscriptions of account 1, as an earlier version left them: account 2 paid for the last period of three.
    private func leftByAnEarlierVersion(_ kind: LedgerKind) async throws -> SQLLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        for number in 1...5 {
            let original = TransactionID("\(number)0")
            let first = bought("club.month", original, on: day(30), until: day(60), token: 1, signed: day(30) + 60)
            try await ledger.record(receipt("\(number)"), first, on: day(31))
            let last = bought(
                "club.month", TransactionID("\(number)1"), original: original, on: day(90), until: day(120),
                signed: day(90) + 60)
            try await ledger.receive(notification("\(number)", last), on: day(91))
        }
        let sql = try #require(ledger.ledger as? SQLLedger)
        try await sql.database.write { db in
            try db.run(
                """
                UPDATE transactions SET facts = '{"appAccountToken":"\(account(2).uuid.uuidString)",'
                    || substr(facts, 2) WHERE id IN ('21', '31', '51')
                """, [])
            try db.run("UPDATE lines SET owners = NULL", [])
        }
        return sql
    }

    /// Another server of the same ledger, or the same one after a restart.
    private func another(_ ledger: SQLLedger) -> SQLLedger {
        SQLLedger(ledger.database, handlers: standardHandlers, onCommit: { _ in })
    }

    @Test(arguments: LedgerKind.allCases)
    func `They are counted over several pages, by whichever server`(kind: LedgerKind) async throws {
        let ledger = try await leftByAnEarlierVersion(kind)
        #expect(try await ledger.misplacedPurchaseCount() == 0)
        var found: [Int] = []
        for (server, isMoreLeft) in [(ledger, true), (another(ledger), true), (ledger, false), (ledger, false)] {
            #expect(try await server.countMisplacedPurchases(inNext: 2) == isMoreLeft)
            found.append(try await another(ledger).misplacedPurchaseCount())
        }
        #expect(found == [1, 2, 3, 3])
        #expect(try await ledger.misplacedPurchases { _ in } == 3)
    }

    /// None counts a page that another one counted.
    @Test(arguments: LedgerKind.allCases)
    func `Several servers count each of them once`(kind: LedgerKind) async throws {
        let ledger = try await leftByAnEarlierVersion(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for server in (1...4).map({ _ in another(ledger) }) {
                group.addTask { while try await server.countMisplacedPurchases(inNext: 1) {} }
            }
            try await group.waitForAll()
        }
        #expect(try await ledger.misplacedPurchaseCount() == 3)
    }

    @Test(arguments: LedgerKind.allCases) func `After their repair none is counted`(kind: LedgerKind) async throws {
        let ledger = try await leftByAnEarlierVersion(kind)
        #expect(try await ledger.countMisplacedPurchases(inNext: 4))
        #expect(try await ledger.repairOwners(at: day(200)) { _ in } == 3)
        #expect(try await ledger.misplacedPurchaseCount() == 0)
        #expect(try await !ledger.countMisplacedPurchases(inNext: 4), "all were looked at")
        #expect(try await ledger.misplacedPurchaseCount() == 0)
    }

    @Test(arguments: LedgerKind.allCases) func `A new ledger has nothing to count`(kind: LedgerKind) async throws {
        let ledger = try #require(try kind.open().ledger as? SQLLedger)
        #expect(try await !ledger.countMisplacedPurchases(inNext: 1))
        #expect(try await ledger.misplacedPurchaseCount() == 0)
    }
}
