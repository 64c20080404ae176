import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// A player's own history is shown page by page.
@Suite struct PlayerHistoryTests {
    private static let scope = Scope(app: "hangman", environment: .production)

    private func pages(of digit: UInt8, _ limit: Int, in ledger: TestLedger) async throws -> [TransactionID] {
        var (found, position): ([TransactionID], PurchasePosition?) = ([], nil)
        while true {
            let page = try await ledger.ledger.purchases(
                of: account(digit), in: Self.scope, after: position, limit: limit)
            #expect(page.count <= limit)
            found += page.map(\.transaction.id)
            guard page.count == limit, let last = page.last?.transaction else { return found }
            position = PurchasePosition(date: last.purchaseDate, transaction: last.id)
        }
    }

    /// Pages of any size give all purchases once, newest first: those of an account and those it was credited for.
    @Test(arguments: LedgerKind.allCases, campaign(of: 10))
    func `The pages of a player's history have every purchase once`(kind: LedgerKind, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let (history, ledger) = (HistoryMaker(using: &generator), try kind.open())
        try await ledger.join(1, 2)
        let context = try ledger.context(on: HistoryMaker.present)
        for (number, sent) in history.receipts(using: &generator).enumerated() {
            _ = try await ledger.ledger.record(
                receipt("\(number)", by: sent.by), .success(VerifiedReceipt(transactions: sent.copies)), in: context)
        }
        for original in Set(history.pieces.map(\.copy.originalID)).sorted() where generator.pick(true, false, false) {
            for digit in [2, 1, 2].prefix(Int.random(in: 1...3, using: &generator)) {
                try await ledger.move(original, to: UInt8(digit))
            }
        }
        let dates = Dictionary(history.pieces.map { ($0.copy.id, $0.copy.purchaseDate) }) { first, _ in first }
        for digit in [UInt8(1), 2] {
            let sql = try #require(ledger.ledger as? SQLLedger)
            let own = try await sql.read { try $0.transactions(of: account(digit)) }
                .filter { $0.owner == account(digit) || $0.creditedTo == account(digit) }
            let purchases = Dictionary(grouping: own.filter { $0.purchase != nil }, by: \.purchaseKey).values
            let named = purchases.compactMap { copies in
                copies.first { $0.transaction.id == $0.purchase }?.transaction.id ?? copies.map(\.transaction.id).min()
            }
            // What added seats to a period was paid for by itself.
            let paid = named + own.filter(\.addsSeats).map(\.transaction.id)
            let expected = paid.sorted { (dates[$0] ?? day(0), $0) > (dates[$1] ?? day(0), $1) }
            for limit in [1, 2, 3, 100] {
                let found = try await pages(of: digit, limit, in: ledger)
                #expect(found == expected, "pages of \(limit)")
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `A player sees the postings of one currency, the newest first`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("coins", "2"))
        try await ledger.record(receipt("b", by: 2), bought("hints", "3"))
        for number in 1...3 {
            _ = try await ledger.spend(number, key: "h\(number)")
            _ = try await ledger.spend(1, "coins", key: "c\(number)")
        }
        var (amounts, position): ([Int], Int?) = ([], nil)
        repeat {
            let page = try await ledger.ledger.postings(
                of: account(1), in: Self.scope, currency: "hints", after: position, limit: 3)
            amounts += page.postings.map(\.amount)
            position = page.next
        } while position != nil
        #expect(amounts == [-3, -2, -1, 10])
        let other = Scope(app: "chess", environment: .production)
        let none = try await ledger.ledger.postings(of: account(1), in: other, currency: "hints", after: nil, limit: 3)
        #expect(none.postings.isEmpty && none.next == nil)
    }

    /// Many postings of another currency do not make a page dearer: it ends, and says where to continue.
    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres])
    func `A page of postings looks at a limited number of rows`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("coins", "2", quantity: 1_000))
        for number in 0..<PostingPage.maximumScanned { _ = try await ledger.spend(1, "coins", key: "\(number)") }
        let first = try await ledger.ledger.postings(
            of: account(1), in: Self.scope, currency: "hints", after: nil, limit: 20)
        #expect(first.postings.isEmpty && first.next != nil)
        let second = try await ledger.ledger.postings(
            of: account(1), in: Self.scope, currency: "hints", after: first.next, limit: 20)
        #expect(second.postings.map(\.amount) == [10] && second.next == nil)
    }
}
