import Foundation
import InAppPurchase
import LedgerPostgres
import PostgresSupport
import Synchronization

@testable import LedgerSQL
@testable import LedgerSQLite

/// A ledger in a file in which everything happened, much of it often, and an empty database.
struct CopyStage {
    let file: LedgerFile
    let original: TestLedger
    private let url: String

    init() async throws {
        let file = try LedgerFile()
        let sqlite = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        self.file = file
        original = TestLedger(sqlite)
        let server = try PostgresServer.shared.get()
        url = server.url(try server.newDatabase())
        try await original.liveThroughEverything()
        try await sqlite.execute(
            """
            WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1500)
            INSERT INTO keyValues SELECT 'many/' || number, randomblob(number % 9) FROM numbers;
            WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 5)
            INSERT INTO keyValues SELECT 'large/' || number, randomblob(\(LedgerCopy.bytesInBatch / 2)) FROM numbers;
            WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1200)
            INSERT INTO spends SELECT '\(account(4).text)', 'hangman', 'Production', 'é' || number, 'hints', 0, 0, number
            FROM numbers;
            """)
    }

    /// The result of the command, from the beginning.
    func copy() throws -> LedgerCopy {
        LedgerCopy(from: try SQLiteLedger.openHeld(path: file.path, handlers: standardHandlers), to: try target())
    }

    /// Copies, and stops after this many batches and one.
    ///
    /// - Returns: whether everything was copied before.
    func run(atMost batches: Int) async throws -> Bool {
        let copy = try copy()
        let left = Mutex(batches)
        // A task of its own, since a cancelled one stays cancelled.
        let task = Task {
            try await copy.run { progress in
                guard progress.step == .copying else { return }
                let isOver = left.withLock { left in
                    left -= 1
                    return left < 0
                }
                if isOver { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        do { _ = try await task.value } catch is CancellationError { return false }
        return true
    }

    func target() throws -> SQLLedger {
        try PostgresLedger.open(url: url, handlers: standardHandlers, mayBeHalf: true, limits: .patient)
    }

    /// As a server opens it.
    func openServer() throws -> SQLLedger {
        try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient)
    }

    func contents(_ ledger: SQLLedger) async throws -> [(table: String, rows: [String])] {
        try await contents(TestLedger(ledger))
    }

    /// Every row of every table that is copied, with the columns in SQLite's order.
    func contents(_ ledger: TestLedger) async throws -> [(table: String, rows: [String])] {
        var all: [(String, [String])] = []
        for table in TestLedger.tables where LedgerTable.copied.contains(where: { $0.name == table }) {
            let columns = try await original.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
            let rows = try await ledger.rows("SELECT \(columns.joined(separator: ", ")) FROM \(table)")
            all.append((table, rows.sorted()))
        }
        return all
    }
}
