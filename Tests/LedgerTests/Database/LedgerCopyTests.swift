import Basics
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import StrictJSON
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// A ledger moves from an SQLite file to PostgreSQL.
@Suite struct LedgerCopyTests {
    @Test func `A copy has every row of every table`() async throws {
        let stage = try await CopyStage()
        let copy = try stage.copy()
        let rows = try await copy.run()
        try await copy.finish()
        let target = try stage.openServer()
        let (before, after) = (try await stage.contents(stage.original), try await stage.contents(target))
        #expect(before.map(\.table) == after.map(\.table))
        for (before, after) in zip(before, after) {
            #expect(!before.rows.isEmpty && before.rows == after.rows, "\(before.table)")
        }
        #expect(rows == before.reduce(0) { $0 + $1.rows.count } && rows > 2 * LedgerCopy.rowsInBatch)
        for digit in UInt8(1)...4 {
            #expect(try await TestLedger(target).holdings(of: digit) == stage.original.holdings(of: digit))
        }
        #expect(try await TestLedger(target).differences() == stage.original.differences())
    }

    /// Numbers that the database assigns continue after those copied, and nothing is done twice.
    @Test func `A copied ledger goes on where the original was`() async throws {
        let stage = try await CopyStage()
        _ = try await stage.copy().run()
        try await stage.copy().finish()
        let target = TestLedger(try stage.openServer())
        #expect(try await target.spend(4, key: "k") == stage.original.spend(4, key: "k"))
        let last = "SELECT max(a.sequence), max(p.sequence) FROM audit a, postings p"
        let before = try await target.rows(last)
        try await target.join(9)
        try await target.record(receipt("z", by: 9), bought("hints", "99"))
        let after = try await target.rows(last)
        let numbers = (before + after).map { $0.split(separator: " ").compactMap { Int($0) } }
        #expect(numbers[1][0] > numbers[0][0] && numbers[1][1] == numbers[0][1] + 1, "\(numbers)")
        #expect(try await target.rows("SELECT count(*) FROM audit WHERE sequence > \(numbers[0][0])") != ["0"])
        #expect(try await target.differences() == stage.original.differences())
    }

    /// Interrupted after any number of batches, it continues; until it is complete no server opens it.
    @Test(arguments: [1, 2] as [UInt64])
    func `An interrupted copy continues, and no server opens it before it is complete`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let stage = try await CopyStage()
        var ended = 0
        while try await !stage.run(atMost: Int.random(in: 0...12, using: &generator)) {
            ended += 1
            let error = #expect(throws: LedgerUnavailable.self) { try stage.openServer() }
            #expect(error?.detail == "a copy of a ledger into the database is not finished")
        }
        #expect(ended > 1)
        #expect(throws: LedgerUnavailable.self) { try stage.openServer() }
        try await stage.copy().finish()
        let target = try stage.openServer()
        #expect(try await stage.contents(target).map(\.rows) == stage.contents(stage.original).map(\.rows))
    }

    @Test func `A complete copy is recognized when the command is run again`() async throws {
        let stage = try await CopyStage()
        let rows = try await stage.copy().run()
        #expect(try await stage.copy().run() == rows, "before its end was told")
        try await stage.copy().finish()
        try await stage.copy().finish()
        #expect(try await stage.copy().run() == rows, "and after")
        try await TestLedger(stage.openServer()).join(9)
        await #expect(throws: LedgerCopyRefusal.holdsALedger) { try await stage.copy().run() }
    }

    @Test func `A target that holds other data is refused`() async throws {
        let stage = try await CopyStage()
        let target = try stage.openServer()
        try await target.set(["key": Data([1])])
        await #expect(throws: LedgerCopyRefusal.holdsALedger) { try await stage.copy().run() }
        #expect(try await TestLedger(target).rows("SELECT count(*) FROM accounts") == ["0"])
    }

    @Test func `A target with a partial copy of another ledger is refused`() async throws {
        let stage = try await CopyStage()
        let (file, first) = (try LedgerFile(), try stage.copy())
        try await file.open().join(1)
        _ = try await first.run()
        let other = try LedgerCopy(
            from: SQLiteLedger.openHeld(path: file.path, handlers: standardHandlers), to: stage.target())
        await #expect(throws: LedgerCopyRefusal.otherCopy) { try await other.run() }
    }

    /// Rows that were copied may have changed since.
    @Test func `A copy does not continue after its source changed`() async throws {
        let stage = try await CopyStage()
        _ = try await stage.copy().run()
        try await stage.original.ledger.set(["key/1": Data([2])])
        await #expect(throws: LedgerCopyRefusal.otherCopy) { try await stage.copy().run() }
    }

    @Test(arguments: [
        ("UPDATE accounts SET blockedAt = 1", "accounts"), ("UPDATE keyValues SET value = ''", "keyValues"),
        ("INSERT INTO renewals VALUES ('', '', '', '')", "renewals"), ("UPDATE audit SET content = NULL", "audit"),
    ])
    func `A target whose rows were changed is refused with the table`(statement: String, table: String) async throws {
        let stage = try await CopyStage()
        _ = try await stage.copy().run()
        _ = try await stage.target().write { try $0.run("\(statement)", []) }
        await #expect(throws: LedgerCopyRefusal.differs(table)) { try await stage.copy().run() }
    }

    /// While the copy holds it nobody writes to the source, and neither does the copy.
    @Test func `The source of a copy is only read, and locked against writes`() async throws {
        let stage = try await CopyStage()
        let before = try await stage.original.everything()
        let held = try SQLiteLedger.openHeld(path: stage.file.path, handlers: standardHandlers)
        await #expect(throws: LedgerUnavailable.self) { try await held.set(["key": Data()]) }
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await SQLiteLedger.open(path: stage.file.path, handlers: standardHandlers).set(["key": Data()])
        }
        #expect(error?.detail == "SQLite 5: database is locked")
        #expect(try await stage.original.everything() == before)
        withExtendedLifetime(held) {}
    }

    @Test func `A text in the source that is not UTF-8 is reported with its column`() async throws {
        let stage = try await CopyStage()
        let sqlite = try #require(stage.original.ledger as? SQLLedger)
        try await sqlite.execute("UPDATE receipts SET content = CAST(x'FF' AS TEXT)")
        let error = await #expect(throws: LedgerUnavailable.self) { try await stage.copy().run() }
        #expect(error?.detail == "receipts.content holds a text that is no UTF-8")
    }
}
