import Basics
import Dispatch
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// Single statements of many callers, which run in a few turns of a reading connection.
@Suite struct SelectQueueTests {
    private static let echo = SQLStatement(constant: "SELECT ? AS number")
    private static let wrong = SQLStatement(constant: "SELECT number FROM nowhere WHERE number = ?")

    /// A connection that reads a file, and is held until told otherwise.
    private final class HeldReader: Sendable {
        let reader: SQLiteReader
        private let gate = DispatchSemaphore(value: 0)
        private let isHeld = Mutex(false)

        init() throws {
            let file = try LedgerFile()
            _ = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
            reader = SQLiteReader(path: file.path)
        }

        /// Runs `body` while the connection is not free. It must release it.
        func whileHeld(_ body: @escaping @Sendable () async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.hold() }
                try await eventually("the connection is held") { isHeld.withLock { $0 } }
                try await body()
                try await group.waitForAll()
            }
        }

        private func hold() async throws {
            try await reader.read { [gate, self] _ in
                isHeld.withLock { $0 = true }
                gate.wait()
            }
        }

        func release() { gate.signal() }
    }

    /// The number of calls that have begun.
    private final class Begun: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    private static func number(_ number: Int, from queue: SelectQueue, _ begun: Begun = Begun()) async throws -> Int? {
        begun.add()
        return try await queue.select(echo, [number]).first?["number"]
    }

    @Test func `Each caller gets the answer to its own statement`() async throws {
        let queue = SelectQueue(try HeldReader().reader)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask {
                    guard number.isMultiple(of: 7) else { return try await Self.number(number, from: queue) == number }
                    await #expect(throws: (any Error).self) { try await queue.select(Self.wrong, [number]) }
                    return true
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
    }

    @Test func `A cancelled caller cancels no other`() async throws {
        let held = try HeldReader()
        let (queue, begun) = (SelectQueue(held.reader), Begun())
        try await held.whileHeld {
            let waiting = (0..<10).map { number in Task { try await Self.number(number, from: queue, begun) } }
            try await eventually("all wait") { begun.count == waiting.count }
            waiting[0].cancel()
            held.release()
            for (number, task) in waiting.enumerated().dropFirst() { #expect(try await task.value == number) }
        }
    }

    @Test func `A statement that finds the queue full is refused`() async throws {
        let held = try HeldReader()
        let queue = SelectQueue(held.reader, maximumWaiting: 3)
        try await held.whileHeld {
            // Three of the four wait and the other is refused: which comes first is not known.
            let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        do { return try await Self.number(number, from: queue) == number } catch is LedgerUnavailable {
                            held.release()
                            return false
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0 } == 3)
        }
    }

    /// Whoever fills the queue waits for itself.
    @Test func `A full queue of statements has room for another client`() async throws {
        let (held, refused) = (try HeldReader(), Begun())
        let queue = SelectQueue(held.reader, maximumWaiting: 3)
        let ask = { @Sendable (address: UInt128) async -> Bool in
            await Sender.$current.withValue(Sender(address: address)) {
                if let number = try? await Self.number(1, from: queue) { return number == 1 }
                refused.add()
                return false
            }
        }
        try await held.whileHeld {
            let many = (1...4).map { _ in Task { await ask(1) } }
            try await eventually("one is refused") { refused.count == 1 }
            let other = Task { await ask(2) }
            try await eventually("another one is refused") { refused.count == 2 }
            held.release()
            var served = 0
            for task in many where await task.value { served += 1 }
            let isOtherServed = await other.value
            #expect(isOtherServed && served == 2)
        }
    }

    @Test
    func `Every waiting statement is told that the file cannot be opened, and the next one tries again`() async throws {
        let file = try LedgerFile()
        let queue = SelectQueue(SQLiteReader(path: file.path))
        let waiting = (0..<10).map { number in Task { try await Self.number(number, from: queue) } }
        for task in waiting { await #expect(throws: (any Error).self) { try await task.value } }
        _ = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        #expect(try await Self.number(5, from: queue) == 5)
    }

    /// Exports that hold every other connection keep nobody from signing in.
    @Test func `Single statements have a connection of their own`() async throws {
        let file = try LedgerFile()
        let ledger = try SQLiteLedger.open(path: file.path, handlers: standardHandlers)
        let (gate, held) = (DispatchSemaphore(value: 0), Begun())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<SQLiteReaders.maximum {
                group.addTask {
                    try await ledger.database.read { _ in
                        held.add()
                        gate.wait()
                    }
                }
            }
            try await eventually("all connections are held") { held.count == SQLiteReaders.maximum }
            let found = try? await ledger.database.select(Self.echo, [7])
            for _ in 0..<SQLiteReaders.maximum { gate.signal() }
            #expect(try found?.first?["number"] == 7)
            try await group.waitForAll()
        }
    }
}
