import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// An administrator undoes a transfer, whoever made it.
@Suite struct UndoTransferTests {
    private func undo(_ id: TransactionID, in ledger: TestLedger, on date: Date = today) async throws
        -> OriginalTransaction
    {
        try await ledger.ledger.undoTransfer(of: original(id), try act(on: date), in: try ledger.context(on: date))
    }

    /// The former owner has access again, credits stay where they were, and no player can move it any more.
    @Test(arguments: LedgerKind.allCases)
    func `An administrator undoes a transfer that a player made`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        try await ledger.record(receipt("b", by: 2), bought("starter", "1", signed: day(95)), on: day(95))
        #expect(try await ledger.holdings(of: 2) == OwnershipTests.starter)
        let undone = try await undo("1", in: ledger)
        #expect(undone.owner == account(1) && undone.basis == .administrator && undone.transfers.count == 2)
        #expect(try await ledger.holdings(of: 1) == "\(OwnershipTests.starter)\n+ hints 3")
        let fresh = bought("starter", "1", signed: day(101))
        #expect(try await ledger.record(receipt("c", by: 2), fresh, on: day(101)).hasPrefix("conflict keep"))
        #expect(try await ledger.acts().last?.contains(#""undo":true"#) == true)
        let before = try await ledger.everything()
        #expect(try await undo("1", in: ledger, on: day(102)) == undone)
        #expect(try await ledger.everything() == before, "the second time nothing happens")
        #expect(try await ledger.differences() == [])
    }

    /// After further transfers, the newest is undone.
    @Test(arguments: LedgerKind.allCases)
    func `Undoing several transfers undoes the last one`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        try await ledger.record(receipt("a"), bought("words", "1"))
        for digit: UInt8 in [2, 3, 1, 2, 3] { try await ledger.move("1", to: digit) }
        #expect(try await undo("1", in: ledger).owner == account(2))
        #expect(try await undo("1", in: ledger).owner == account(2))
        try await ledger.move("1", to: 1)
        #expect(try await undo("1", in: ledger).owner == account(2))
    }

    @Test(arguments: LedgerKind.allCases)
    func `A purchase that was not transferred has no transfer to undo`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.notTransferred) { try await undo("1", in: ledger) }
        await #expect(throws: LedgerRefusal.unknownOriginalTransaction) { try await undo("2", in: ledger) }
        #expect(try await ledger.everything() == before)
    }
}
