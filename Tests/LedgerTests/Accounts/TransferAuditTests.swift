import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The audit trails of both accounts tell of a transfer, whoever made it.
@Suite struct TransferAuditTests {
    /// The audit rows about transfers of an account, oldest first.
    private func rows(_ ledger: TestLedger, of digit: UInt8) async throws -> [AuditRow] {
        let filter = AuditFilter(account: account(digit))
        return try await ledger.ledger.auditRows(matching: filter, after: 0, limit: 1_000).rows
            .filter { $0.kind.hasPrefix("line.") }
    }

    private func kinds(_ ledger: TestLedger, of digit: UInt8) async throws -> [String] {
        try await rows(ledger, of: digit).map(\.kind)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A transfer is in the audit trail of both accounts`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        #expect(try await kinds(ledger, of: 1) == [])
        try await ledger.record(receipt("b", by: 2), bought("starter", "1", signed: day(95)), on: day(95))
        #expect(try await kinds(ledger, of: 1) == ["line.lost"])
        #expect(try await kinds(ledger, of: 2) == ["line.moved"])
        _ = try await ledger.ledger.undoTransfer(
            of: original("1"), try act(on: today), in: try ledger.context(on: today))
        try await ledger.move("1", to: 3)
        #expect(try await kinds(ledger, of: 1) == ["line.lost", "line.moved", "line.lost"])
        #expect(try await kinds(ledger, of: 2) == ["line.moved", "line.lost"])
        #expect(try await kinds(ledger, of: 3) == ["line.moved"])
        let (lost, moved) = (try await rows(ledger, of: 1), try await rows(ledger, of: 3))
        #expect(lost.last?.content == moved.last?.content && lost.last?.actor == "admin:alice")
        #expect(lost.allSatisfy { $0.subject == "1" })
    }

    /// A purchase that is presented for the first time, or stays, is taken from nobody.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase that stays with its owner is in nobody's trail as a transfer`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        try await ledger.move("1", to: 1)
        #expect(try await kinds(ledger, of: 1) == ["line.moved"])
    }
}
