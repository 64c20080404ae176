import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Everything that is known about an account.
@Suite struct AccountReportTests {
    private func accountReport(of digit: UInt8, limit: Int = 200, in ledger: TestLedger) async throws -> AccountReport?
    {
        try await ledger.ledger.accountReport(of: account(digit), after: nil, limit: limit, in: try ledger.context())
    }

    @Test(arguments: LedgerKind.allCases)
    func `A report has everything that happened to an account`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.liveThroughEverything()
        let one = try #require(try await accountReport(of: 1, in: ledger))
        #expect(one.facts == AccountFacts(account: account(1), createdAt: day(0), blockedAt: nil))
        #expect(one.sessions.entries.map(\.closedAt) == [today, nil])
        #expect(one.entitlements == (try await ledger.ledger.entitlements(of: account(1), in: try ledger.context())))
        let scope = Scope(app: "hangman", environment: .production)
        #expect(
            one.balances[scope]
                == (try await ledger.ledger.balances(of: account(1), scope: scope, in: try ledger.context())))
        #expect(
            one.transactions.entries.map(\.transaction.id) == ["9", "8", "7", "6", "5", "4", "3", "2", "16", "15", "1"])
        #expect(one.originalTransactions.map(\.key.originalID) == ["1", "15", "16", "2", "3", "4", "5", "7", "8", "9"])
        #expect(one.originalTransactions.first { $0.key.originalID == "8" }?.transfers.map(\.to) == [account(2)])
        let receipts = one.receipts.entries.map { "\($0.id) \($0.status) \($0.rejection?.rawValue ?? "")" }
        // Recorded at the same time, so ordered by their IDs.
        #expect(
            receipts == [
                "r_packed verified ", "r_old_1 verified ", "r_kept_1 pending ", "r_d_1 rejected signature",
                "r_customer_1 verified ", "r_c_1 verified ",
                "r_b_1 verified ", "r_away_1 verified ", "r_a_1 verified ",
            ])
        #expect(one.receipts.entries.first { $0.id == "r_kept_1" }?.attempts == Attempts(count: 1))
        #expect(one.spends.entries.map(\.spend.idempotencyKey) == ["k"])
        #expect(one.adjustments.entries.map(\.reason) == ["ticket 7"])
        #expect(one.postings.entries.map(\.amount) == [5, -4, 7, 3, 10, 7])
        #expect(one.postings.entries.first?.kind == .adjustment)
        #expect(!one.receipts.isTruncated && !one.postings.isTruncated)
    }

    /// The newest of each list, and whether there are others.
    @Test(arguments: LedgerKind.allCases, [0, 1, 2])
    func `The lists of a report are bounded to the newest entries`(kind: LedgerKind, limit: Int) async throws {
        let ledger = try kind.open()
        try await ledger.liveThroughEverything()
        let (all, some) = (
            try #require(try await accountReport(of: 1, in: ledger)),
            try #require(try await accountReport(of: 1, limit: limit, in: ledger))
        )
        #expect(some.receipts.entries.map(\.id) == all.receipts.entries.prefix(limit).map(\.id))
        #expect(
            some.transactions.entries.map(\.transaction) == all.transactions.entries.prefix(limit).map(\.transaction))
        #expect(some.postings.entries.map(\.cause) == all.postings.entries.prefix(limit).map(\.cause))
        #expect(some.sessions.entries == Array(all.sessions.entries.prefix(limit)))
        #expect(some.receipts.isTruncated && some.transactions.isTruncated && some.postings.isTruncated)
        #expect(some.sessions.isTruncated == (limit < 2) && some.spends.isTruncated == (limit < 1))
        #expect(some.originalTransactions.count <= limit)
    }

    /// Page by page, each purchase is there once with its original transaction, whatever its app and environment.
    @Test(arguments: LedgerKind.allCases, [1, 2, 3])
    func `The pages of a report have every purchase once`(kind: LedgerKind, limit: Int) async throws {
        let ledger = try kind.open()
        try await ledger.liveThroughEverything()
        try await ledger.record(receipt("sandboxed"), bought("hints", "77", .sandbox))
        let all = try #require(try await accountReport(of: 1, in: ledger))
        #expect(all.next == nil && all.transactions.entries.contains { $0.transaction.id == "77" })
        var (found, originals, position): ([RecordedTransaction], Set<TransactionID>, PurchasePosition?) = ([], [], nil)
        repeat {
            let page = try #require(
                try await ledger.ledger.accountReport(
                    of: account(1), after: position, limit: limit, in: try ledger.context()))
            #expect(page.transactions.entries.count <= limit)
            found += page.transactions.entries
            originals.formUnion(page.originalTransactions.map(\.key.originalID))
            position = page.next
        } while position != nil
        #expect(found.map(\.transaction) == all.transactions.entries.map(\.transaction))
        #expect(originals == Set(all.originalTransactions.map(\.key.originalID)))
    }

    /// A token for some apps pages through its part, and no page tells of the others.
    @Test(arguments: LedgerKind.allCases, [1, 2, 200])
    func `The pages of a report for some apps name no other app`(kind: LedgerKind, limit: Int) async throws {
        let ledger = try kind.open()
        let reach = AdminReach(["hangman"])
        try await ledger.join(1, 2)
        for number in 0..<6 {
            let (app, id): (BundleID, TransactionID) = (
                number.isMultiple(of: 2) ? "hangman" : "chess", TransactionID(stored: "\(number + 1)")
            )
            let copy = bought("hints", id, app: app, on: day(80 + number))
            try await ledger.record(receipt("\(number)"), copy)
        }
        let board = OriginalTransaction.Key(app: "chess", environment: .production, originalID: "6")
        _ = try await ledger.ledger.transfer(board, to: account(2), try act(), in: try ledger.context())
        var (found, position): ([TransactionID], PurchasePosition?) = ([], nil)
        repeat {
            let page = try #require(
                try await ledger.ledger.accountReport(
                    of: account(1), after: position, limit: limit, narrowedTo: reach, in: try ledger.context()))
            found += page.transactions.entries.map(\.transaction.id)
            position = page.next
            #expect(position == nil || page.transactions.entries.last?.transaction.id == position?.transaction)
            #expect(page.receipts.entries.count == min(limit, 3) && page.receipts.isTruncated == (limit < 3))
            #expect(page.postings.entries.count == min(limit, 3) && page.postings.isTruncated == (limit < 3))
        } while position != nil
        #expect(found == ["5", "3", "1"])
        let others = try #require(
            try await ledger.ledger.accountReport(
                of: account(2), after: nil, limit: 1, narrowedTo: reach, in: try ledger.context()))
        #expect(others.transactions.entries.isEmpty && others.next == nil)
    }

    /// Purchases that an account sent and another one owns, until they are transferred; not for a token for other apps.
    @Test(arguments: LedgerKind.allCases)
    func `A report names the owners of purchases that the account sent in vain`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        try await ledger.record(receipt("b", by: 2), bought("hints", "1"))
        try await ledger.record(receipt("c", by: 2), bought("words", "2"))
        let contested = try #require(try await accountReport(of: 2, in: ledger)).contested
        #expect(contested.map(\.record.transaction.id) == ["1"] && contested.map(\.record.owner) == [account(1)])
        #expect(contested.first?.remedy == .recoveryCode, "consumables stay with their owners")
        #expect(try #require(try await accountReport(of: 1, in: ledger)).contested.isEmpty)
        let part = try await ledger.ledger.accountReport(
            of: account(2), after: nil, limit: 9, narrowedTo: AdminReach(["chess"]), in: try ledger.context())
        #expect(try #require(part).contested.isEmpty)
        _ = try await ledger.ledger.transfer(original("1"), to: account(2), try act(), in: try ledger.context())
        #expect(try #require(try await accountReport(of: 2, in: ledger)).contested.isEmpty)
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unknown account has no report, and a new one an empty report`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        #expect(try await accountReport(of: 1, in: ledger) == nil)
        try await ledger.join(1)
        let empty = try #require(try await accountReport(of: 1, in: ledger))
        #expect(empty.transactions.entries.isEmpty && empty.originalTransactions.isEmpty && empty.balances.isEmpty)
    }

    /// By the ID of a transaction, of an original transaction or of a receipt, also of one that could not be read.
    @Test(arguments: LedgerKind.allCases)
    func `Accounts are found by the IDs of transactions and receipts`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(
            receipt("a"), bought("words", "1"), bought("club.month", "6", original: "5", until: day(120)),
            bought("hints", "1", app: "chess", .sandbox))
        try await ledger.ledger.recordUnreadable(
            .whole(digest: Data(), length: 0), id: "r_0", reason: "malformed", from: account(2), at: today)
        func found(_ id: TransactionID) async throws -> [String] {
            try #require(try await ledger.ledger.purchases(named: .transaction(id))).originals
                .map { "\($0.key.app) \($0.key.environment) \($0.key.originalID) \($0.owner == account(1))" }
        }
        #expect(try await found("1") == ["chess Sandbox 1 true", "hangman Production 1 true"])
        #expect(try await found("5") == ["hangman Production 5 true"])
        #expect(try await found("6") == ["hangman Production 5 true"])
        #expect(try await found("2") == [])
        #expect(try await found("' OR 1 --") == [])
        #expect(try await ledger.ledger.account(ofReceipt: "r_a_1") == account(1))
        let reported = [bought("words", "1", order: "MK1"), bought("night", "9", order: "MK1")]
        for (order, copies) in [("MK1", reported), ("MK2", [bought("night", "10", order: "MK2")])] {
            let facts = VerifiedReceipt(transactions: copies)
            _ = try await ledger.ledger.observe(facts, cause: "order \(order)", in: ledger.context())
        }
        try await ledger.record(receipt("b", by: 2), bought("night", "9"))
        let ordered = try #require(try await ledger.ledger.purchases(named: .order("MK1"))).originals
        #expect(ordered.map { "\($0.key.originalID) \($0.owner == account(1))" } == ["1 true", "9 false"])
        #expect(try await ledger.ledger.purchases(named: .order("MK")) == nil)
        #expect(try await ledger.ledger.account(ofReceipt: "r_0") == account(2))
        #expect(try await ledger.ledger.account(ofReceipt: "r_1") == nil)
    }
}
