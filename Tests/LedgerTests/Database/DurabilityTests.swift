import Crypto
import Foundation
import GRDB
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// The guarantees of the SQLite file.
@Suite struct DurabilityTests {
    /// `synchronous` belongs to a connection, so the ledger's own is asked; 2 is FULL.
    @Test func `The file is in WAL mode with full synchronization and foreign keys`() async throws {
        let file = try LedgerFile()
        let ledger = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        #expect(try await ledger.value("PRAGMA synchronous") == "2")
        try await TestLedger(ledger).liveThroughEverything()
        #expect(try await ledger.value("PRAGMA synchronous") == "2")
        #expect(try await ledger.value("PRAGMA foreign_keys") == "1")
        let other = try DatabaseQueue(path: file.path)
        #expect(try await other.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test(arguments: [false, true]) func `Every table of SQLite is strict`(inFile: Bool) async throws {
        let ledger = TestLedger(try SQLLedger.make(inFile: inFile))
        let tables = try await ledger.rows(
            """
            SELECT name, strict FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
            ORDER BY name
            """)
        #expect(tables == TestLedger.tables.map { "\($0) 1" })
    }

    @Test func `Everything is there after the file is opened again`() async throws {
        let file = try LedgerFile()
        let before: (rows: [String], read: [String])
        do {
            let ledger = try file.open()
            try await ledger.liveThroughEverything()
            before = (try await ledger.everything(), try await ledger.read())
        }
        let reopened = try file.open()
        #expect(try await reopened.everything() == before.rows)
        #expect(try await reopened.read() == before.read)
        for table in TestLedger.tables { #expect(before.rows.contains { $0.hasPrefix(table + " ") }, "\(table)") }
    }

    @Test(arguments: [
        "DELETE FROM audit", "DELETE FROM audit WHERE sequence = 1", "UPDATE audit SET sequence = sequence + 1000",
        "UPDATE audit SET at = 0", "UPDATE audit SET kind = 'x'", "UPDATE audit SET account = NULL",
        "UPDATE audit SET account = 'x'", "UPDATE audit SET actor = 'x'", "UPDATE audit SET subject = 'x'",
        "UPDATE audit SET content = '{}'",
        "UPDATE audit SET content = content", "UPDATE audit SET contentHash = x'00', content = NULL",
        "REPLACE INTO audit SELECT * FROM audit WHERE sequence = 1",
    ])
    func `The audit trail cannot be changed or deleted through SQL`(change: String) async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        let before = try await ledger.everything()
        await #expect(throws: DatabaseError.self) { try await sqlite.execute(change) }
        #expect(try await ledger.everything() == before)
    }

    /// A person's data can be erased; that something was there, and its hash, stay.
    @Test func `The content of audit rows can be erased, and nothing else of them`() async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        let columns = "sequence, at, kind, actor, account, subject, contentHash"
        let before = try await ledger.rows("SELECT \(columns) FROM audit")
        try await sqlite.execute("UPDATE audit SET content = NULL WHERE account = '\(account(1).text)'")
        #expect(try await ledger.rows("SELECT \(columns) FROM audit") == before)
        #expect(try await ledger.rows("SELECT DISTINCT account FROM audit WHERE content IS NULL") == [account(1).text])
        await #expect(throws: DatabaseError.self) { try await sqlite.execute("UPDATE audit SET content = '{}'") }
    }

    @Test(arguments: LedgerKind.allCases)
    func `An erasure is recorded with the rows that it erased`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.liveThroughEverything()
        let before = try await ledger.rows(
            "SELECT sequence FROM audit WHERE account = '\(account(1).text)' ORDER BY sequence")
        try #require(before.count > 3)
        let outcome = try await ledger.ledger.eraseContent(.account(account(1)), try act())
        #expect(outcome == ErasureOutcome(erased: before.count, named: 0))
        let erased = try await ledger.rows("SELECT sequence FROM audit WHERE content IS NULL ORDER BY sequence")
        #expect(erased == before, "those of nobody else")
        let row = try #require(try await ledger.ledger.auditRows(after: 0, limit: 10_000).last)
        #expect(row.kind == "content.erased" && row.account == account(1) && row.actor == "admin:alice")
        let named = try #require(row.content.flatMap { ErasedRows(content: $0) })
        #expect(named.ranges.flatMap { $0.map { "\($0)" } } == before)
        #expect(row.content?.contains("ticket 7") == true)
        // Again there is nothing left, and nothing to record.
        #expect(try await ledger.ledger.eraseContent(.account(account(1)), try act()) == ErasureOutcome())
        #expect(try await ledger.ledger.auditRows(after: row.sequence, limit: 10).isEmpty)
        await #expect(throws: ErasureRefusal.tellsOfAnErasure(sequence: row.sequence)) {
            try await ledger.ledger.eraseContent(.rows([1...row.sequence]), try act())
        }
        await #expect(throws: ErasureRefusal.noSuchRow) {
            try await ledger.ledger.eraseContent(.rows([1_000_000...(.max)]), try act())
        }
    }

    @Test(arguments: [false, true]) func `Every audit row has the hash of its content`(inFile: Bool) async throws {
        let sqlite = try SQLLedger.make(inFile: inFile)
        try await TestLedger(sqlite).liveThroughEverything()
        let rows = try await sqlite.writer.read {
            try Row.fetchAll($0, sql: "SELECT content, contentHash FROM audit").map { row in
                (content: row["content"] as String, hash: row["contentHash"] as Data)
            }
        }
        #expect(rows.count > 15)
        for row in rows { #expect(Data(SHA256.hash(data: Data(row.content.utf8))) == row.hash) }
    }
}
