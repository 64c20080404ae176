import Foundation
import InAppPurchase
import TestSupport
import Testing

/// Many requests at once: whichever comes first, everything is delivered once.
@Suite struct ConcurrencyTests {
    static let rest = "= hangman starter non-consumable granted [starter]\n+ hints 3"

    private func record(_ receipts: [(ledger: TestLedger, receipt: Receipt)]) async throws -> [String: Int] {
        try await withThrowingTaskGroup { group in
            for (ledger, receipt) in receipts {
                group.addTask { try await ledger.record(receipt, bought("starter", "1", token: 1)) }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    private func expectOneDelivery(in ledger: TestLedger) async throws {
        #expect(try await ledger.rows("SELECT account, id FROM deliveries") == ["\(account(1).text) 1"])
        #expect(try await ledger.rows("SELECT account, amount FROM postings") == ["\(account(1).text) 3"])
        #expect(try await ledger.rows("SELECT amount FROM balances") == ["3"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `One receipt sent fifty times at once delivers once`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let answers = try await record(Array(repeating: (ledger, receipt("a")), count: 50))
        #expect(
            answers == [
                "verified finish\n1 starter: delivered\n\(Self.rest)": 1,
                "verified again finish\n1 starter: already delivered\n\(Self.rest)": 49,
            ])
        try await expectOneDelivery(in: ledger)
    }

    /// Another ID each time, since requests make one before they know that the bytes are known.
    @Test(arguments: LedgerKind.allCases)
    func `One receipt under many IDs is recorded once`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        _ = try await record((0..<50).map { (ledger, receipt("a", id: "r_\($0)")) })
        #expect(try await ledger.rows("SELECT count(*) FROM receipts") == ["1"])
        try await expectOneDelivery(in: ledger)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Fifty receipts of one transaction at once deliver once`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let answers = try await record((0..<50).map { (ledger, receipt("\($0)")) })
        #expect(
            answers == [
                "verified finish\n1 starter: delivered\n\(Self.rest)": 1,
                "verified finish\n1 starter: already delivered\n\(Self.rest)": 49,
            ])
        try await expectOneDelivery(in: ledger)
    }

    /// Two processes on one file.
    @Test func `Two processes with the file open deliver a purchase once`() async throws {
        let file = try LedgerFile()
        let ledgers = [try file.open(), try file.open()]
        try await ledgers[0].join(1)
        let answers = try await record((0..<40).map { (ledgers[$0 % 2], receipt("a")) })
        #expect(answers["verified finish\n1 starter: delivered\n\(Self.rest)"] == 1)
        try await expectOneDelivery(in: ledgers[1])
    }

    /// Two players who both hold a copy: one of them gets it.
    @Test(arguments: LedgerKind.allCases)
    func `Of two players who send one purchase at once one gets it`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        let statuses = try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                let sent = receipt("\(number)", by: number.isMultiple(of: 2) ? 1 : 2)
                group.addTask { try await ledger.record(sent, bought("hints", "1")) }
            }
            return try await group.reduce(into: [Substring: Int]()) { $0[$1.prefix { $0 != " " }, default: 0] += 1 }
        }
        #expect(statuses == ["verified": 25, "conflict": 25])
        #expect(try await ledger.rows("SELECT amount FROM balances") == ["10"])
        #expect(try await ledger.rows("SELECT count(*) FROM deliveries") == ["1"])
    }
}
