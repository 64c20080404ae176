import Basics
import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// Writes that come at once share a commit, and nothing else.
@Suite(.timeLimit(.minutes(20))) struct GroupCommitTests {
    private struct Failure: Error {}

    /// The numbers of the writes that were refused.
    private final class Refused: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A write that fails in a group leaves the others as they are`(kind: LedgerKind) async throws {
        let ledger = try #require(try kind.open().ledger as? SQLLedger)
        let results = try await ledger.together(20, inOrder: true) { number in
            try await ledger.write { rows in
                try rows.append(AuditEntry(.accountCreated, subject: "\(number)", at: today))
                if number == 7 { throw Failure() }
                if number == 8 { throw LedgerRefusal.nameTaken }
                if number == 9 { try rows.run("INSERT INTO accounts (id) VALUES (?)", ["without the rest"]) }
                if number == 10 { try rows.send("INSERT INTO accounts (id) VALUES (?)", ["without the rest"]) }
                return number
            }
        }
        for (number, result) in results.enumerated() {
            switch number {
            case 7: #expect(throws: Failure.self) { try result.get() }
            case 8: #expect(throws: LedgerRefusal.nameTaken) { try result.get() }
            case 9, 10: #expect(throws: LedgerUnavailable.self) { try result.get() }
            default: #expect(try result.get() == number)
            }
        }
        let subjects = try await ledger.auditRows(after: 0, limit: 100).compactMap(\.subject)
        let succeeded = Array(0..<7) + Array(11..<20)
        #expect(subjects == succeeded.map { String($0) }, "in the order they came")
    }

    /// As SQLite's own log shows.
    @Test func `All writes of a batch share one commit`() async throws {
        let file = try LedgerFile()
        var ledger = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        ledger.maximumWork = .seconds(3_600)
        let before = try file.commits
        for result in try await ledger.setTogether(WriteQueue.maximumBatch) { try result.get() }
        #expect(try file.commits == before + 1)
        try await ledger.set(["alone": Data()])
        #expect(try file.commits == before + 2)
    }

    @Test func `A batch of writes has a maximum length`() async throws {
        let commits = Mutex<[Int]>([])
        var ledger = try SQLiteLedger.inMemory(handlers: []) { commit in
            commits.withLock { $0.append(commit.writes.count) }
        }
        ledger.maximumWork = .seconds(3_600)
        for result in try await ledger.setTogether(WriteQueue.maximumBatch * 2 + 3) { try result.get() }
        // The first held up the others.
        #expect(commits.withLock { $0 } == [1, WriteQueue.maximumBatch, WriteQueue.maximumBatch, 3])
    }

    @Test func `Writes that take long are committed in parts`() async throws {
        let commits = Mutex<[Int]>([])
        let ledger = try SQLiteLedger.inMemory(handlers: []) { commit in
            commits.withLock { $0.append(commit.writes.count) }
        }
        let results = try await ledger.together(6) { number in
            try await ledger.write { _ in
                Thread.sleep(forTimeInterval: ledger.maximumWork / .seconds(1) * 0.6)
                return number
            }
        }
        #expect(try results.map { try $0.get() } == Array(0..<6))
        #expect(commits.withLock { $0.reduce(0, +) } == 7 && commits.withLock { $0.allSatisfy { $0 <= 2 } })
    }

    /// The commit fails because a reference dangles.
    @Test func `When a commit fails every write of its group fails`() async throws {
        var ledger = try SQLiteLedger.inMemory(handlers: [])
        ledger.maximumWork = .seconds(3_600)
        let results = try await ledger.together(5) { [ledger] number in
            try await ledger.write { rows in
                try rows.append(AuditEntry(.accountCreated, subject: "\(number)", at: today))
                if number == 4 { throw LedgerRefusal.nameTaken }
                guard number == 3 else { return }
                try rows.run("PRAGMA defer_foreign_keys = ON", [])
                try rows.run(
                    "INSERT INTO sessions (token, account, openedAt) VALUES (?, ?, ?)", [Data([1]), "nobody", 0])
            }
        }
        for result in results { #expect(throws: LedgerUnavailable.self) { try result.get() } }
        #expect(try await ledger.auditRows(after: 0, limit: 100).isEmpty)
        try await ledger.append(AuditEntry(.accountCreated, at: today))
        #expect(try await ledger.auditRows(after: 0, limit: 100).count == 1)
    }

    /// With a savepoint, SQLite copies each page that is changed. Without one, a refusal makes the group run again with
    /// savepoints, and so do the next groups.
    @Test func `A group of writes has savepoints only after a refusal`() async throws {
        let database = CountingDatabase(try SQLiteLedger.inMemory(handlers: []).database)
        var ledger = SQLLedger(database, handlers: [], onCommit: { _ in })
        ledger.maximumWork = .seconds(3_600)
        let writes = 10
        let runs = Mutex(0)
        func savepoints(refusing refused: Int?) async throws -> Int {
            let before = database.counts.waits.withLock { $0 }
            let results = try await ledger.together(writes) { [ledger] number in
                try await ledger.write { _ in
                    runs.withLock { $0 += 1 }
                    if number == refused { throw LedgerRefusal.nameTaken }
                }
            }
            #expect(results.count { (try? $0.get()) == nil } == (refused == nil ? 0 : 1))
            return database.counts.waits.withLock { $0 } - before
        }
        #expect(try await savepoints(refusing: nil) == 0)
        #expect(runs.withLock { $0 } == writes)
        #expect(try await savepoints(refusing: 9) == writes)
        #expect(runs.withLock { $0 } > 2 * writes, "run again")
        // A group of one, for which the others wait, counts too.
        for _ in 0..<(WriteQueue.guardedBatches / 2 - 1) { #expect(try await savepoints(refusing: nil) == writes) }
        _ = try await savepoints(refusing: nil)
        #expect(try await savepoints(refusing: nil) == 0)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A cancelled write does not disturb the others of its group`(kind: LedgerKind) async throws {
        let ledger = try #require(try kind.open().ledger as? SQLLedger)
        let results = try await ledger.together(10, cancelling: [2, 5]) { number in
            try await ledger.set(["\(number)": Data([UInt8(number)])])
        }
        for result in results { try result.get() }
        #expect(try await ledger.values(withPrefix: "").count == 10)
        let late = Task {
            try? await Task.sleep(for: .seconds(60))
            try await ledger.set(["late": Data()])
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try await ledger.value(forKey: "late") == nil)
    }

    @Test func `A write that finds the queue full is refused and may be tried again`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        let refused = Mutex<[any Error]>([])
        let results = try await ledger.setTogether(WriteQueue.length - 1) {
            do { try await ledger.set(["too many": Data()]) } catch { refused.withLock { $0.append(error) } }
        }
        for result in results { try result.get() }
        let reported = refused.withLock { $0.map { ($0 as? LedgerUnavailable)?.detail } }
        #expect(reported == ["too many writes wait"])
        try await ledger.set(["again": Data()])
        #expect(try await ledger.values(withPrefix: "").count == WriteQueue.length)
    }

    /// Whoever fills the queue waits for itself.
    @Test func `A full queue of writes has room for another client`() throws {
        let (queue, refused) = (WriteQueue(), Refused())
        func add(_ number: Int, for address: UInt128) throws {
            try Sender.$current.withValue(Sender(address: address)) {
                _ = try queue.add(
                    WaitingWrite(work: { _ in {} }, fail: { _ in refused.numbers.withLock { $0.append(number) } }))
            }
        }
        for number in 1...WriteQueue.length { try add(number, for: 1) }
        #expect(throws: LedgerUnavailable.self) { try add(0, for: 1) }
        #expect(refused.numbers.withLock { $0 } == [])
        for number in 1...2 { try add(-number, for: 2) }
        #expect(refused.numbers.withLock { $0 } == [WriteQueue.length, WriteQueue.length - 1])
        #expect(queue.count == WriteQueue.length)
    }

    @Test func `Receipts that come at once share a commit`() async throws {
        let (file, clients) = (try LedgerFile(), 64)
        var queued = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        queued.maximumWork = .seconds(3_600)
        let ledger = TestLedger(queued)
        try await ledger.join(1)
        let before = try file.commits
        let results = try await queued.together(clients) { number in
            try await ledger.record(receipt("\(number)"), bought("hints", "\(number)"))
        }
        for result in results { _ = try result.get() }
        #expect(try file.commits == before + 1)
        #expect(try await ledger.rows("SELECT amount FROM balances") == ["\(clients * 10)"])
        #expect(try await ledger.differences() == [])
    }
}

extension SQLLedger {
    /// Begins these at once: none runs before all of them wait.
    ///
    /// - Parameter inOrder: each waits before the next begins.
    fileprivate func together<Value: Sendable>(
        _ count: Int, inOrder: Bool = false, cancelling cancelled: Set<Int> = [],
        whileTheyWait: () async throws -> Void = {},
        _ write: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Result<Value, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        let first = Task { try await self.write { _ in _ = gate.wait(timeout: .now() + 600) } }
        try await wait(for: 1)
        var tasks: [Task<Value, any Error>] = []
        for number in 0..<count {
            tasks.append(Task { try await write(number) })
            if inOrder { try await wait(for: number + 2) }
        }
        try await wait(for: count + 1)
        for number in cancelled { tasks[number].cancel() }
        try await whileTheyWait()
        gate.signal()
        try await first.value
        var results: [Result<Value, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    fileprivate func setTogether(_ count: Int, whileTheyWait: () async throws -> Void = {}) async throws -> [Result<
        Void, any Error
    >] { try await together(count, whileTheyWait: whileTheyWait) { try await set(["\($0)": Data([1])]) } }

    private func wait(for writes: Int) async throws {
        while queue.count < writes { try await Task.sleep(for: .milliseconds(1)) }
    }
}

extension LedgerFile {
    /// The number of transactions in the write-ahead log, by <https://www.sqlite.org/fileformat2.html#walformat>.
    fileprivate var commits: Int {
        get throws {
            let log = [UInt8](try Data(contentsOf: URL(filePath: path + "-wal")))
            func number(at offset: Int) -> Int { log[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
            let (header, frameHeader, salts) = (32, 24, log[16..<24])
            let frame = frameHeader + number(at: 8)
            return stride(from: header, through: log.count - frame, by: frame)
                .prefix { log[$0 + 8..<$0 + 16] == salts }
                .count { number(at: $0 + 4) > 0 }
        }
    }
}
