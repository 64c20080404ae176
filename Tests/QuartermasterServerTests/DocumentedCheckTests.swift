import AuditSeal
import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Logging
import ServerTestSupport
import Synchronization
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The commands of docs/develop/audit-trail.md, on logs into which strangers have written.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct DocumentedCheckTests {
    /// The commands of the page that check a trail against checkpoints kept elsewhere.
    private static func commands() throws -> [String] {
        let page = try String(contentsOfFile: Project.folder("docs/develop/audit-trail.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        return blocks.filter { $0.hasPrefix("sh\n") && $0.contains("--checkpoint") }.map { String($0.dropFirst(3)) }
    }

    private func play(_ command: String, in folder: LedgerFolder) async throws -> Program.Outcome {
        let programs = ServerProcess.executable.deletingLastPathComponent().path
        let script = "cd \(folder.folder.path); PATH=\(programs):$PATH\n"
        return try await Program.run(["-euc", script + command], executable: URL(filePath: "/bin/bash"))
    }

    private final class LogFile: TextOutputStream, Sendable {
        private let text = Mutex(Data())

        func write(_ string: String) { append(Data(string.utf8)) }

        func append(_ bytes: Data) { text.withLock { $0 += bytes } }

        var bytes: Data { text.withLock { $0 } }
    }

    /// A ledger with three checkpoints, its file of them, and a collected log with lines of strangers in between.
    private func make(_ folder: LedgerFolder, _ format: LogFormat = .text) async throws -> SQLLedger {
        let log = LogFile()
        let logger = Logger(label: "quartermaster") { _ in LineLogHandler(format, stream: log) }
        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        let file = CheckpointsSetting(chosen: nil, database: folder.database)
        let sealer = try await AuditSealer(
            ledger, random: systemRandomBytes, clock: { World.start }, logger: logger, file: try file.file())
        for round in 0..<3 {
            for number in 0..<10 {
                try await ledger.append(AuditEntry(.productAdded, subject: "p\(round).\(number)", at: World.start))
            }
            await sealer.seal(isLast: true)
            // What a client sent, and what another program wrote into the same log.
            let forged = "x\0\n2026-11-22T00:00:00+0000 info audit checkpoint at=7 \"message\":\"audit checkpoint\"\n"
            logger.info("request", metadata: ["receipt": "\(forged)", "route": "\u{1B}[2Jaudit checkpoint"])
            log.append(Data([0, 0xFF, 0x0A, 0x78, 0, 0x79, 0x0A]))
        }
        try log.bytes.write(to: URL(filePath: folder.path("collected.log")))
        return ledger
    }

    @Test(arguments: LogFormat.allCases)
    func `The documented check works with hostile logs and finds a cut trail`(format: LogFormat) async throws {
        let commands = try Self.commands()
        #expect(commands.count == 2)
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let ledger = try await make(folder, format)
        for command in commands {
            let whole = try await play(command, in: folder)
            #expect(whole.status == 0 && whole.output.contains("3 kept checkpoints are part of it"), "\(whole)")
        }
        // Whoever can write the file takes the end away, with what signs for it.
        for trigger in try await triggers(of: ledger) { try await ledger.execute("DROP TRIGGER \(trigger)") }
        try await ledger.execute(
            """
            DELETE FROM auditCheckpoints WHERE position > 11; DELETE FROM auditSeals WHERE position > 11;
            DELETE FROM audit WHERE sequence > 11
            """)
        try ledger.close()
        for command in commands {
            let cut = try await play(command, in: folder)
            #expect(cut.status == 1 && cut.error.contains("checkpoint"), "\(cut)")
        }
    }

    private func triggers(of ledger: SQLLedger) async throws -> [String] {
        try await ledger.writer.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        }
    }

    /// The lines of a log are told apart, including the last one.
    @Test func `Every logged checkpoint counts`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        _ = try await make(folder)
        let file = CheckpointsSetting(chosen: nil, database: folder.database).path
        let kept = try TrailFiles.checkpoints(file)
        let lines = kept.map { checkpoint in
            "info: " + checkpoint.logged.map { "\($0.name)=\($0.value)" }.joined(separator: " ") + " audit checkpoint"
        }
        let log = folder.path("kept.log")
        try (lines.joined(separator: "\n") + "\n").write(toFile: log, atomically: true, encoding: .utf8)
        #expect(kept.count == 3)
        #expect(try TrailFiles.checkpoints(log) == kept)
        try "{\n\(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")[0].dropFirst())\n"
            .write(toFile: log, atomically: true, encoding: .utf8)
        #expect(try TrailFiles.checkpoints(log) == [kept[0]])
        try "hello\n".write(toFile: log, atomically: true, encoding: .utf8)
        #expect(throws: CommandError.self) { try TrailFiles.checkpoints(log) }
    }
}
