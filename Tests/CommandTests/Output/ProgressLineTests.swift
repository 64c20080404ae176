import AuditSeal
import Content
import Foundation
import GRDB
import InAppPurchase
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Synchronization
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The progress of a command that takes its time: something moves at least once a second.
@Suite struct ProgressLineTests {
    /// The texts on the line, one after the other; the last is what is seen.
    private static func lines(of pipe: Pipe) throws -> [String] {
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\r").map { String($0.replacing("\u{1B}[K", with: "")) }
    }

    /// A step that reports nothing for a minute, as at the beginning of a large patch.
    @Test func `The progress line of a silent step still moves`() throws {
        let (pipe, clock) = (Pipe(), TestClock(World.start))
        let line = ProgressLine(output: pipe.fileHandleForWriting, clock: { clock.now })
        line.tick()
        line.show(CommandProgress(verb: "compressed", unit: .bytes, done: 3_000_000, total: 60_000_000))
        for _ in 0..<60 {
            clock.advance(by: 1)
            line.tick()
        }
        line.begin("checking every page")
        clock.advance(by: 1)
        line.tick()
        line.clear()
        clock.advance(by: 1)
        line.tick()
        let seen = try Self.lines(of: pipe)
        try #require(seen.count == 64, "\(seen)")
        #expect(seen.first == "compressed 3.0 MB of 60.0 MB")
        #expect(seen[1] == "compressed 3.0 MB of 60.0 MB, 3.0 MB/s, 19 s left (1 s)")
        #expect(seen[60] == "compressed 3.0 MB of 60.0 MB, 50.0 kB/s, 1140 s left (60 s)")
        #expect(seen[61...] == ["checking every page", "checking every page (1 s)", ""], "\(seen)")
        for (before, after) in zip(seen, seen.dropFirst()) { #expect(before != after) }
    }

    /// Other output begins on a line of its own, and the progress line continues below it.
    @Test func `Other output interrupts the progress line`() throws {
        let (pipe, clock) = (Pipe(), TestClock(World.start))
        let line = ProgressLine(output: pipe.fileHandleForWriting, clock: { clock.now })
        line.show(.checked(accounts: 1, of: 9))
        line.interrupt { try? pipe.fileHandleForWriting.write(contentsOf: Data("a difference\n".utf8)) }
        clock.advance(by: 1)
        line.tick()
        line.clear()
        #expect(
            try Self.lines(of: pipe)
                == ["checked 1 of 9 accounts", "a difference\n", "checked 1 of 9 accounts, 1/s, 8 s left (1 s)", ""])
    }

    @Test func `The timer of the progress line calls until it is stopped`() async throws {
        let calls = Mutex(0)
        let ticker = Ticker(every: 1) { calls.withLock { $0 += 1 } }
        try await poll("it calls twice") { calls.withLock { $0 } > 1 }
        ticker.stop()
        ticker.stop()
        let before = calls.withLock { $0 }
        try await Task.sleep(for: .milliseconds(3_200))
        let after = calls.withLock { $0 }
        #expect(after <= before + 1, "a call that had begun may have gone on")
        withExtendedLifetime(ticker) {}
    }

    /// Each long step reports how far it is after work of a bounded size.
    @Test func `Every long step reports its progress`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 3, values: 120_000)
        let reported = Mutex<[(Int, Int)]>([])
        try Data().write(to: URL(filePath: folder.path("copy")))
        try SQLiteFile(folder.database).copy(to: folder.path("copy"), isReadOnly: true) { done, total in
            reported.withLock { $0.append((done, total)) }
        }
        let bytes = reported.withLock { $0 }
        let size = try #require(bytes.last?.1)
        #expect(size > 12 << 20 && bytes.last?.0 == size && bytes.allSatisfy { $0.1 == size }, "\(bytes)")
        for (before, after) in zip([(0, size)] + bytes, bytes) {
            #expect(after.0 - before.0 <= 4 << 20 && after.0 >= before.0, "\(before) \(after)")
        }

        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        for _ in 0..<30 {
            try await ledger.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                INSERT INTO audit (at, kind, content, contentHash)
                SELECT 0, 'product.added', '{}', x'\(Self.emptyObjectHash)' FROM n
                """)
        }
        let rows = Mutex<[Int]>([])
        let summary = try await ledger.verifyTrail { count in rows.withLock { $0.append(count) } }
        #expect(summary.unsealed == 3_000)
        #expect(rows.withLock { $0 } == [1_024, 2_048], "\(rows.withLock { $0 })")
        let lines = Mutex<[Int]>([])
        try await AtomicFile.write(folder.path("trail.jsonl")) { file in
            try await ledger.exportTrail(after: 0, to: file) { count in lines.withLock { $0.append(count) } }
        }
        _ = try TrailFiles.verify(folder.path("trail.jsonl"), keys: nil, kept: []) { count in
            lines.withLock { $0.append(count) }
        }
        #expect(lines.withLock { $0 } == [1_024, 2_048, 1_024, 2_048])
        let accounts = Mutex<[Int]>([])
        _ = try await ledger.checkAccounts(
            at: World.start, progress: { done, total in accounts.withLock { $0 += [done, total] } }
        ) { Issue.record("\($0)") }
        #expect(accounts.withLock { $0 } == [0, 3, 1, 3, 2, 3, 3, 3])
        try ledger.close()
    }

    /// Of `{}`.
    fileprivate static let emptyObjectHash = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
}

#if os(Linux)
    extension ProgressLineTests {
        /// On a terminal it also moves while the program waits for the next line of input.
        @Test(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
        func `The progress line moves on a terminal`() async throws {
            let folder = try LedgerFolder()
            defer { folder.leave() }
            let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
            try await ledger.execute(
                """
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                INSERT INTO audit (at, kind, content, contentHash)
                SELECT 0, 'product.added', '{}', x'\(Self.emptyObjectHash)' FROM n
                """)
            try await AtomicFile.write(folder.path("trail.jsonl")) { try await ledger.exportTrail(after: 0, to: $0) }
            try ledger.close()
            let trail = try Data(contentsOf: URL(filePath: folder.path("trail.jsonl")))
            try trail.dropLast(9).write(to: URL(filePath: folder.path("most")))
            try trail.suffix(9).write(to: URL(filePath: folder.path("rest")))
            // Ends with the test, whatever becomes of it: then there is no such file any more.
            let script = """
                { cat most; while [ -e most ] && [ ! -e go ]; do sleep 0.1; done; cat rest; } \
                | "$0" audit verify --export /dev/stdin
                """

            let (screen, side) = try Self.terminal()
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", script, ServerProcess.executable.path]
            process.currentDirectoryURL = folder.folder
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = side
            let seen = Mutex("")
            try process.run()
            defer { process.terminate() }
            try await poll("it moves") {
                seen.withLock { seen in
                    seen += Self.unread(of: screen)
                    return seen.contains(/verified 1024 lines[^\r]*\((?:[2-9]|\d\d+) s\)/)
                }
            }
            try Data().write(to: URL(filePath: folder.path("go")))
            try await poll("it ends") {
                _ = Self.unread(of: screen)
                return !process.isRunning
            }
            #expect(process.terminationStatus == 0)
            try side.close()
        }

        /// The text that the screen shows next; empty if there is none now, or nobody has the other side open any more,
        /// for which `FileHandle.availableData` ends the process.
        private static func unread(of screen: FileHandle) -> String {
            var (text, buffer) = ("", [UInt8](repeating: 0, count: 4_096))
            while case let count = read(screen.fileDescriptor, &buffer, buffer.count), count > 0 {
                text += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            return text
        }

        /// Both ends of a pseudo-terminal (pts(4)): the screen, and the side that a program writes to.
        private static func terminal() throws -> (screen: FileHandle, side: FileHandle) {
            let (unlock, tellNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
            let screen = try #require(FileHandle(forUpdatingAtPath: "/dev/ptmx"))
            var (lock, number): (Int32, Int32) = (0, -1)
            try #require(ioctl(screen.fileDescriptor, unlock, &lock) == 0)
            try #require(ioctl(screen.fileDescriptor, tellNumber, &number) == 0)
            try #require(fcntl(screen.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
            return (screen, try #require(FileHandle(forUpdatingAtPath: "/dev/pts/\(number)")))
        }
    }
#endif
