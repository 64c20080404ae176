import Dispatch
import Foundation
import GRDB
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// Statements that a connection of SQLite keeps from one use to the next.
@Suite struct PreparedStatementTests {
    private struct Refusal: Error {}

    private static let insert = SQLStatement(constant: "INSERT INTO keyValues (key, value) VALUES (?, ?)")
    private static let select = SQLStatement(constant: "SELECT key, value FROM keyValues WHERE key >= ? ORDER BY key")
    private static let echo = SQLStatement(
        constant: "SELECT ?1 AS one, ?2 AS two, ?1 || ?2 AS both, typeof(?1) AS type")

    private func open() throws -> (LedgerFile, SQLLedger) {
        let file = try LedgerFile()
        return (file, try SQLiteLedger.open(path: file.path, handlers: standardHandlers))
    }

    private static let texts = [
        "", " ", "a", "\0", "a\0b", "é", "e\u{301}", "日本", "😀", "\u{10FFFF}", "\u{10FFFF}0", "\u{FFFD}",
        String(repeating: "x", count: 100_000), String(repeating: "ä\0", count: 70_000),
    ]

    /// Of every kind, in every place, and none from an earlier use.
    @Test(arguments: [false, true])
    func `A reused statement has its own arguments and rows`(inFile: Bool) async throws {
        let ledger = try SQLLedger.make(inFile: inFile)
        let blobs = [Data(), Data([0]), Data([0, 1, 0xF4, 0]), Data(repeating: 7, count: 200_000)]
        let numbers = [0, -1, Int.max, Int.min, 1 << 32]
        let values: [SQLValue] =
            Self.texts.map(SQLValue.text) + blobs.map(SQLValue.blob) + numbers.map(SQLValue.integer) + [.null]
        for value in values {
            for other in [SQLValue.null, .integer(3), .text("z"), .blob(Data([9]))] {
                let rows = try await ledger.database.select(Self.echo, [value, other])
                #expect(rows.first?.values.prefix(2) == [value, other])
                let turned = try await ledger.database.read { try $0.all(Self.echo, [other, value]) }
                #expect(turned.first?.values.prefix(2) == [other, value])
            }
        }
    }

    @Test func `A statement with too few or too many arguments is refused`() async throws {
        let (_, ledger) = try open()
        for arguments: SQLArguments in [[], ["a"], ["a", Data(), 3]] {
            await #expect(throws: LedgerUnavailable.self) {
                _ = try await ledger.database.write { try $0.run(Self.insert, arguments) }
            }
        }
        #expect(try await ledger.database.write { try $0.run(Self.insert, ["a", Data()]) } == 1)
        #expect(try await ledger.database.select(Self.select, [""]).count == 1)
    }

    /// Otherwise the log could never be emptied again, and would grow until the disk is full.
    @Test func `No statement stays open after an error`() async throws {
        let (_, ledger) = try open()
        try await ledger.database.write { db in
            for key in ["a", "b", "c"] { try db.run(Self.insert, [key, Data()]) }
        }
        await #expect(throws: LedgerUnavailable.self) {
            _ = try await ledger.database.write { try $0.run(Self.insert, ["a", Data()]) }
        }
        for _ in 0..<SQLiteReaders.maximum {
            await #expect(throws: Refusal.self) {
                try await ledger.database.read { try $0.each(Self.select, [""]) { _ in throw Refusal() } }
            }
        }
        await #expect(throws: Refusal.self) {
            try await ledger.database.write { try $0.each(Self.select, [""]) { _ in throw Refusal() } }
        }
        try await ledger.execute("INSERT INTO keyValues (key, value) VALUES ('d', x'00')")
        #expect(try await ledger.value("PRAGMA wal_checkpoint(TRUNCATE)") == "0")
        #expect(try await ledger.database.select(Self.select, ["b"]).map { try $0["key"] } == ["b", "c", "d"])
    }

    /// The rows of a statement being read are not disturbed by running it again, which is refused.
    @Test func `A statement that is being read is not run again`() async throws {
        let (_, ledger) = try open()
        try await ledger.database.write { db in for key in ["a", "b"] { try db.run(Self.insert, [key, Data()]) } }
        let seen = try await ledger.database.read { db in
            var seen: [String] = []
            try db.each(Self.select, [""]) { row in
                #expect(throws: LedgerUnavailable.self) { try translatingErrors { try db.all(Self.select, ["b"]) } }
                seen.append(try row["key"])
            }
            return seen
        }
        #expect(seen == ["a", "b"])
    }

    /// Another process may migrate the tables to a later version.
    @Test func `A reused statement has the columns of now`() async throws {
        let (file, ledger) = try open()
        let all = SQLStatement(constant: "SELECT * FROM keyValues")
        _ = try await ledger.database.write { try $0.run(Self.insert, ["a", Data([1])]) }
        #expect(try await ledger.database.select(all, []).first?.values.count == 2)
        let other = try DatabaseQueue(path: file.path)
        try await other.write { try $0.execute(sql: "ALTER TABLE keyValues ADD COLUMN more TEXT DEFAULT 'm'") }
        #expect(try await ledger.database.select(all, []).first?["more"] == "m")
        let written = try await ledger.database.write { try $0.all(all, []) }
        #expect(try written.first?["more"] == "m")
    }

    /// More reads than connections take turns, and each has the snapshot that it began with.
    @Test func `Reads take turns on the connections, each with one snapshot`() async throws {
        let (_, ledger) = try open()
        _ = try await ledger.database.write { try $0.run(Self.insert, ["a", Data()]) }
        let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try await ledger.database.write { try $0.run(Self.insert, ["b\(number)", Data()]) }
                    return try await ledger.database.read { db in
                        try (0..<3).map { _ in try db.all(Self.select, [""]).count }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.allSatisfy { Set($0).count == 1 })
        #expect(try await ledger.database.select(Self.select, [""]).count == 41)
    }

    /// A folder in place of the file: no reader can be opened, and every read reports it.
    @Test func `Every read fails when no reader can be opened`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "no-ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let readers = SQLiteReaders(path: folder.path(percentEncoded: false))
        let failed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do { return try await readers.read { try $0.all(Self.select, [""]).isEmpty } } catch { return true }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failed == 20)
    }

    /// By a thread of its own, long before a commit would do it.
    @Test func `The write-ahead log is written back while commits go on`() async throws {
        let (file, held) = (try LedgerFile(), HeldUp())
        let ledger = try SQLiteLedger.open(
            path: file.path, handlers: standardHandlers,
            onCheckpoint: { ended in held.checkpoints.withLock { $0.append(ended) } })
        #expect(try await ledger.value("PRAGMA wal_autocheckpoint") == "\(SQLiteCheckpoints.maximumPages)")
        let page = 4_096
        for number in 0..<40 {
            _ = try await ledger.database.write { db in
                try db.run(Self.insert, ["\(number)", Data(repeating: 1, count: SQLiteCheckpoints.pages * page / 32)])
            }
        }
        try await eventually("a checkpoint has ended") { held.checkpoints.withLock { !$0.isEmpty } }
        let checkpoints = held.checkpoints.withLock { $0 }
        let first = try #require(checkpoints.first)
        #expect(first.trouble == nil && first.pages > 0 && first.writtenBack == first.pages)
        // Pages of which the log had two versions are in the file once.
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        #expect(size ?? 0 > SQLiteCheckpoints.pages * page / 2)
        #expect(try await ledger.database.select(Self.select, [""]).count == 40)
    }

    /// The checkpoints of a ledger, and a read that goes on.
    private final class HeldUp: Sendable {
        let checkpoints = Mutex<[LogCheckpoint]>([])
        let isReading = Mutex(false)
        let gate = DispatchSemaphore(value: 0)

        func read(_ ledger: SQLLedger) async throws {
            try await ledger.database.read { [self] db in
                _ = try db.all(PreparedStatementTests.select, [""])
                isReading.withLock { $0 = true }
                gate.wait()
            }
        }
    }

    /// A read that goes on keeps pages in the log: that is reported, and tried again when the read has ended.
    @Test func `A log that a long read holds up is reported and written back after it`() async throws {
        let held = HeldUp()
        let ledger = try SQLiteLedger.open(
            path: LedgerFile().path, handlers: standardHandlers,
            onCheckpoint: { ended in held.checkpoints.withLock { $0.append(ended) } })
        _ = try await ledger.database.write { db in try db.run(Self.insert, ["first", Data([1])]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await held.read(ledger) }
            try await eventually("a read has begun") { held.isReading.withLock { $0 } }
            let isReported = try? await Self.fill(ledger) {
                held.checkpoints.withLock { $0.contains { $0.writtenBack < $0.pages } }
            }
            held.gate.signal()
            #expect(isReported == true)
            try await group.waitForAll()
        }
        let isWritten = try await Self.fill(ledger) {
            held.checkpoints.withLock { $0.last.map { $0.writtenBack == $0.pages } == true }
        }
        #expect(isWritten && held.checkpoints.withLock { $0.allSatisfy { $0.trouble == nil } })
    }

    /// Writes a MiB at a time until something is so.
    private static func fill(_ ledger: SQLLedger, until isSo: () -> Bool) async throws -> Bool {
        for number in 0..<200 {
            _ = try await ledger.database.write { db in
                try db.run(insert, ["\(number) \(UUID())", Data(repeating: 1, count: 1 << 20)])
            }
            if isSo() { return true }
        }
        return false
    }

    /// The journal of a savepoint, of which each receipt of a group has one, is not written to a file.
    @Test func `The journal of savepoints is kept in memory`() async throws {
        let (_, ledger) = try open()
        #expect(try await ledger.value("PRAGMA temp_store") == "2")
    }
}
