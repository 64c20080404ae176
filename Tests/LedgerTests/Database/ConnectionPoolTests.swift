import Basics
import Dispatch
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// Connections that are lent, and reads of an SQLite file that wait for one.
@Suite struct ConnectionPoolTests {
    private static let select = SQLStatement(constant: "SELECT key FROM keyValues WHERE key >= ? ORDER BY key")

    /// Holds every connection of a pool until told otherwise.
    private final class Holder: Sendable {
        private let (ended, end) = AsyncStream.makeStream(of: Void.self)
        private let held = Mutex(0)

        var count: Int { held.withLock { $0 } }

        func hold() async {
            held.withLock { $0 += 1 }
            for await _ in ended {}
        }

        func release() { end.finish() }
    }

    /// The connections that are lent now.
    private final class Lent: Sendable {
        private let numbers = Mutex<Set<Int>>([])

        func insert(_ number: Int) -> Bool { numbers.withLock { $0.insert(number).inserted } }
        func remove(_ number: Int) { numbers.withLock { _ = $0.remove(number) } }
    }

    /// The number of reads that have a connection.
    private final class Running: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    @Test func `A connection is lent to one caller at a time`() async throws {
        let pool = ConnectionPool([1, 2, 3], queue: 100, timeout: .seconds(180))
        let lent = Lent()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await pool.withConnection { number in
                        let isFree = lent.insert(number)
                        #expect(isFree)
                        await Task.yield()
                        lent.remove(number)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(pool.idle) == [1, 2, 3])
    }

    @Test func `A caller that finds the queue for connections full is refused`() async throws {
        let (pool, holder) = (ConnectionPool([1], queue: 1, timeout: .seconds(180)), Holder())
        let first = Task { try await pool.withConnection { _ in await holder.hold() } }
        try await eventually("the connection is lent") { holder.count == 1 }
        // One of the two waits and the other is refused: which comes first is not known.
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do { return try await pool.withConnection { $0 == 1 } } catch is LedgerUnavailable {
                        holder.release()
                        return false
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 } == 1)
        try await first.value
        #expect(pool.idle == [1])
    }

    /// Whoever fills the queue waits for itself.
    @Test func `A full queue for connections has room for another client`() async throws {
        let (pool, refused) = (ConnectionPool([0], queue: 3, timeout: .seconds(600)), Running())
        let end = AsyncStream<Never>.makeStream()
        let use = { @Sendable (address: UInt128) in
            await Sender.$current.withValue(Sender(address: address)) {
                do { return try await pool.withConnection { _ in true } } catch {
                    refused.add()
                    return false
                }
            }
        }
        let first = Task { try await pool.withConnection { _ in for await _ in end.stream {} } }
        while !pool.idle.isEmpty { await Task.yield() }
        let many = (1...4).map { _ in Task { await use(1) } }
        while refused.count < 1 { await Task.yield() }
        let other = Task { await use(2) }
        while refused.count < 2 { await Task.yield() }
        end.continuation.finish()
        try await first.value
        #expect(await other.value)
        var served = 0
        for task in many where await task.value { served += 1 }
        #expect(served == 2)
    }

    @Test func `A caller waits for a connection no longer than the timeout`() async throws {
        let (pool, holder) = (ConnectionPool([1], queue: 10, timeout: .milliseconds(20)), Holder())
        let first = Task { try await pool.withConnection { _ in await holder.hold() } }
        try await eventually("the connection is lent") { holder.count == 1 }
        await #expect(throws: LedgerUnavailable.self) { try await pool.withConnection { _ in } }
        holder.release()
        try await first.value
        // It was lent to nobody who had given up.
        #expect(pool.idle == [1])
        #expect(try await pool.withConnection { $0 } == 1)
    }

    /// A waiter that comes while others wait uses the same timer.
    @Test func `A caller that waits behind others times out too`() async throws {
        let (pool, holder) = (ConnectionPool([1], queue: 10, timeout: .milliseconds(50)), Holder())
        let first = Task { try await pool.withConnection { _ in await holder.hold() } }
        try await eventually("the connection is lent") { holder.count == 1 }
        for _ in 0..<2 {
            let waiting = (0..<4).map { number in
                Task {
                    try await Task.sleep(for: .milliseconds(20 * number))
                    try await pool.withConnection { _ in }
                }
            }
            for task in waiting { await #expect(throws: LedgerUnavailable.self) { try await task.value } }
        }
        holder.release()
        try await first.value
        #expect(pool.idle == [1])
    }

    @Test func `One timer is enough for all that wait`() {
        let start = ContinuousClock.now
        var list = WaitingList<String>()
        let needTimers = ["a", "b", "c"].enumerated().map { number, name in
            list.append(name, until: start + .seconds(number + 1))
        }
        #expect(needTimers == [true, false, false])
        let served = list.popFirst()
        #expect(served == "a")
        // The timer of a caller that got its connection.
        var (late, next) = list.expire(at: start + .seconds(1))
        #expect(late == [] && next == start + .seconds(2))
        (late, next) = list.expire(at: start + .seconds(3))
        #expect(late == ["b", "c"] && next == nil && list.count == 0)
        let needsTimer = list.append("d", until: start + .seconds(9))
        #expect(needsTimer)
    }

    /// Reads that hang must not make every later one wait for ever.
    @Test func `Reads of a file wait in a limited queue`() async throws {
        let (file, gate) = (try LedgerFile(), DispatchSemaphore(value: 0))
        _ = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        let readers = SQLiteReaders(path: file.path, maximumWaiting: 0)
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<SQLiteReaders.maximum {
                group.addTask {
                    _ = try await readers.read { db in
                        running.add()
                        gate.wait()
                        return try db.all(Self.select, [""]).count
                    }
                }
            }
            try await eventually("all connections read") { running.count == SQLiteReaders.maximum }
            await #expect(throws: LedgerUnavailable.self) {
                try await readers.read { try $0.all(Self.select, [""]).count }
            }
            for _ in 0..<SQLiteReaders.maximum { gate.signal() }
            try await group.waitForAll()
        }
        #expect(try await readers.read { try $0.all(Self.select, [""]).count } == 0)
    }

    /// Closing ends what is prepared; the next read opens the file again.
    @Test func `A closed reader opens the file again at the next read`() async throws {
        let file = try LedgerFile()
        let ledger = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        let readers = SQLiteReaders(path: file.path)
        for _ in 0..<3 {
            #expect(try await readers.read { try $0.all(Self.select, [""]).count } == 0)
            try readers.close()
            try readers.close()
        }
        _ = ledger
    }
}
