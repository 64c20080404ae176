import AuditSeal
import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `audit` and `ledger` as an operator types them, on the file of a server.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct AuditCommandTests {
    @Test func `A complete audit trail verifies from the command line`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        let text = try await stage.run("audit", "verify", "--database", stage.database)
        #expect(text.status == 0 && text.error.isEmpty)
        #expect(text.output.hasPrefix("6 rows: 4 sealed, 2 not yet; the content of 0 is erased\n1 checkpoint,"))
        let json = try await stage.run("audit", "verify", "--database", stage.database, "--json").json
        #expect(json["rows"] == 6 && json["lastCheckpoint"]["position"] == 4 && json["keysFrom"] == "ledger")
        let kept = try await stage.run(
            "audit", "verify", "--database", stage.database, "--keys", stage.keys, "--checkpoint", stage.kept, "--json")
        #expect(kept.status == 0 && kept.json["keptCheckpoints"] == 1 && kept.json["keysFrom"] == "file")
    }

    @Test func `An export is verified without its ledger`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        let file = stage.path("trail.jsonl")
        let export = try await stage.run("audit", "export", "--database", stage.database, "--output", file)
        #expect(export.status == 0 && export.output.isEmpty && export.error.isEmpty)
        let printed = try await stage.run("audit", "export", "--database", stage.database)
        #expect(printed.output == (try String(contentsOfFile: file, encoding: .utf8)))
        let names = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path)
        #expect(names.filter { $0.hasPrefix("trail") } == ["trail.jsonl"], "nothing else is left")
        let alone = try await stage.run("audit", "verify", "--export", file)
        #expect(alone.status == 0 && alone.output.contains("the keys came with the export, which proves little"))
        let trusted = try await stage.run("audit", "verify", "--export", file, "--keys", stage.keys)
        #expect(trusted.status == 0 && !trusted.output.contains("proves little"))
        let part = try await stage.run(
            "audit", "export", "--database", stage.database, "--after", "2", "--output", file)
        #expect(part.status == 0)
        let partial = try await stage.run("audit", "verify", "--export", file, "--keys", stage.keys)
        #expect(partial.output.contains("a partial export: it begins after position 2"))
    }

    @Test func `A changed audit trail is reported in one line`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        try await stage.ledger.execute("DROP TRIGGER auditIsNotChanged; UPDATE audit SET kind = 'x' WHERE sequence = 3")
        let ledger = try await stage.run("audit", "verify", "--database", stage.database)
        #expect(ledger.status == 1 && ledger.output.isEmpty)
        #expect(ledger.error == "Error: \(stage.database): position 3: row 3 or its seal was changed\n")
        let file = stage.path("trail.jsonl")
        _ = try await stage.run("audit", "export", "--database", stage.database, "--output", file)
        let export = try await stage.run("audit", "verify", "--export", file)
        #expect(export.status == 1)
        #expect(export.error == "Error: \(file): position 3: row 3 or its seal was changed\n")
        try Data(try String(contentsOfFile: file, encoding: .utf8).utf8.dropLast(9)).write(to: URL(filePath: file))
        let cut = try await stage.run("audit", "verify", "--export", file)
        #expect(cut.status == 1)
    }

    /// Of a file that is larger than what is read, not even the beginning counts: the rest might say otherwise.
    @Test func `A file of keys that is too large is not read in part`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        #expect(try TrailFiles.keys(stage.keys).count == 1)
        let file = try FileHandle(forWritingTo: URL(filePath: stage.keys))
        let size = Int(try file.seekToEnd())
        try file.write(contentsOf: Data(repeating: UInt8(ascii: " "), count: TrailFiles.maximumBytes - size))
        #expect(try TrailFiles.keys(stage.keys).count == 1)
        try file.write(contentsOf: Data([UInt8(ascii: " ")]))
        try file.close()
        let failure = #expect(throws: CommandError.self) { try TrailFiles.keys(stage.keys) }
        #expect(failure.map { "\($0)" } == "\(stage.keys): is larger than 16777216 bytes")
    }

    /// A second file that is missing, or another one.
    @Test func `Wrong files and wrong usage of audit commands are refused`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        let none = stage.path("none")
        for command in [
            ["audit", "verify"], ["audit", "export"], ["ledger", "rebuild"], ["ledger", "rebuild", "--check"],
        ] {
            let answer = try await stage.run(command + ["--database", none])
            #expect(answer.status == 1 && answer.error == "Error: \(none): there is no ledger\n")
        }
        #expect(!FileManager.default.fileExists(atPath: none))
        let wrong = [
            ["--keys", none], ["--keys", stage.kept], ["--checkpoint", none], ["--checkpoint", stage.keys],
        ]
        for options in wrong {
            let answer = try await stage.run(["audit", "verify", "--database", stage.database] + options)
            #expect(answer.status == 1 && answer.error.split(separator: "\n").count == 1, "\(answer)")
        }
        #expect(try await stage.run("audit", "verify", "--export", none).status == 1)
        #expect(try await stage.run("audit", "verify", "--export", none, "--database", none).status == 64)
        #expect(try await stage.run("audit", "export", "--after=-1").status == 64)
        #expect(try await stage.run("audit", "burn").status == 64)
        let nowhere = stage.path("no/folder/trail.jsonl")
        let export = try await stage.run("audit", "export", "--database", stage.database, "--output", nowhere)
        #expect(export.status == 1 && export.error.hasPrefix("Error: \(nowhere): cannot be written: "))
    }

    /// Rows whose content vanished are found; an erasure by the command is a row of its own, sealed when the command
    /// ends.
    @Test func `An erasure by the command is a row of its own`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        let verify = ["audit", "verify", "--database", stage.database]
        try await stage.ledger.execute("UPDATE audit SET content = NULL WHERE sequence = 2")
        let silent = try await stage.run(verify)
        #expect(silent.status == 1 && silent.output.isEmpty)
        #expect(silent.error == "Error: \(stage.database): row 2: its content is erased, and no row tells of it\n")
        let erase = ["audit", "erase", "--reason", "ticket 7", "--database", stage.database]
        let rows = try await stage.run(erase + ["--rows", "2,4-5"])
        #expect(rows.status == 0 && rows.error.isEmpty, "\(rows)")
        #expect(rows.output == "the content of 2 rows is erased; that of 1 was gone before, and is accounted for now\n")
        let after = try await stage.run(verify + ["--checkpoint", stage.kept])
        #expect(after.status == 0 && after.output.hasPrefix("7 rows: 7 sealed, 0 not yet; the content of 3 is erased"))
        let row = try #require(try await stage.ledger.auditRows(after: 6, limit: 9).first)
        #expect(row.kind == "content.erased" && row.actor == "command:\(NSUserName())")
        #expect(row.content == #"{"reason":"ticket 7","rows":[[2,2],[4,5]]}"#)
        let account = try #require(try await stage.ledger.auditRows(after: 0, limit: 1).first?.account)
        let person = try await stage.run(erase + ["--account", account.text, "--json"])
        #expect(person.status == 0 && person.json == ["erased": 1, "named": 0], "\(person)")
        #expect(try await stage.run(verify).status == 0)
        for (arguments, status) in [
            (["--rows", "7"], 1), (["--rows", "99"], 1), (["--rows", "2-1"], 64), (["--rows", "x"], 64), ([], 64),
            (["--rows", "1", "--account", account.text], 64), (["--rows", ""], 64), (["--rows", "0"], 64),
        ] {
            let refused = try await stage.run(erase + arguments)
            #expect(refused.status == status && refused.output.isEmpty, "\(arguments) \(refused)")
            if status == 1 { #expect(refused.error.split(separator: "\n").count == 1, "\(refused)") }
        }
        #expect(
            try await stage.run(["audit", "erase", "--rows", "1", "--reason", " ", "--database", stage.database]).status
                == 64)
        #expect(try await stage.run(verify).status == 0)
    }

    /// Without any checkpoint that was stored elsewhere.
    @Test func `Rows cut off the end of the trail are found`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        try await stage.ledger.execute("DROP TRIGGER auditIsNotDeleted; DELETE FROM audit WHERE sequence = 6")
        let verify = try await stage.run("audit", "verify", "--database", stage.database)
        #expect(verify.status == 1)
        #expect(verify.error == "Error: \(stage.database): row 6: is gone: the trail ends with row 5\n")
        let file = stage.path("cut.jsonl")
        #expect(try await stage.run("audit", "export", "--database", stage.database, "--output", file).status == 0)
        let export = try await stage.run("audit", "verify", "--export", file)
        #expect(export.error == "Error: \(file): row 6: is gone: the trail ends with row 5\n", "\(export)")
    }

    @Test func `The rebuild command reports and corrects differences`() async throws {
        let stage = try await Stage()
        defer { stage.leave() }
        let check = ["ledger", "rebuild", "--check", "--database", stage.database]
        let clean = try await stage.run(check)
        #expect(clean.status == 0)
        #expect(clean.output == "1 account, 0 transactions, 0 postings, 0 spends, 0 receipts: no difference\n")
        try await stage.ledger.execute(
            "INSERT INTO balances SELECT id, 'hangman', 'Production', 'hints', 5 FROM accounts")
        let wrong = try await stage.run(check)
        #expect(wrong.status == 1 && wrong.output.isEmpty)
        #expect(wrong.error.contains("hangman, Production, balance of hints: stored 5, recomputed 0\n"))
        #expect(wrong.error.hasSuffix("Error: \(stage.database): 1 difference from the history\n"))
        let json = try await stage.run(check + ["--json"])
        #expect(json.status == 1 && json.output.contains(#""kept":"5""#) && json.output.contains(#""differences":1"#))
        let mended = try await stage.run("ledger", "rebuild", "--database", stage.database)
        #expect(mended.output.hasPrefix("1 balance corrected to the sum of the postings\n"))
        #expect(try await stage.run(check).status == 0)
        #expect(try await stage.ledger.auditRows(after: 0, limit: 99).last?.actor?.hasPrefix("command:") ?? false)
    }
}

/// A ledger in a file, with four rows sealed and signed for, two unsealed, its keys, and the checkpoint as it was
/// logged.
private struct Stage {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
    let ledger: SQLLedger

    var database: String { path("ledger.sqlite") }
    var keys: String { path("keys.json") }
    var kept: String { path("kept.log") }

    init() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "ledger.sqlite").path
        ledger = try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
        let log = LogRecorder()
        let sealer = try await AuditSealer(
            ledger, random: systemRandomBytes, clock: { World.start }, logger: log.logger(.info))
        try await ledger.createAccount(AccountID(UUID()), token: Data([1]), recoveryCode: Data([1]), at: World.start)
        try await append(2)
        await sealer.seal()
        try await append(2)
        try JSONEncoder().encode(JSONWebKeySet(sealer.keys.verifying)).write(to: folder.appending(path: "keys.json"))
        try (log.lines.joined(separator: "\n") + "\n")
            .write(to: folder.appending(path: "kept.log"), atomically: true, encoding: .utf8)
    }

    private func append(_ count: Int) async throws {
        for number in 0..<count {
            try await ledger.append(AuditEntry(.productAdded, subject: "p\(number)", at: World.start))
        }
    }

    func leave() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func run(_ arguments: String...) async throws -> Program.Outcome { try await Program.run(arguments) }

    func run(_ arguments: [String]) async throws -> Program.Outcome { try await Program.run(arguments) }
}
