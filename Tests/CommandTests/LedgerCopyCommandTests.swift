import Foundation
import GRDB
import InAppPurchase
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import NIOHTTP1
import PostgresSupport
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `ledger copy` as an operator types it.
@Suite(
    .enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."), .serialized)
struct LedgerCopyCommandTests {
    private static func emptyDatabase() throws -> (name: String, url: String) {
        let server = try PostgresServer.shared.get()
        let name = try server.newDatabase()
        return (name, server.url(name))
    }

    /// A server is killed with a full log, and its ledger is moved: what players have is theirs there too.
    @Test func `The ledger of a killed server is copied with everything players have`() async throws {
        try await ServerProcess.run { server, authority in
            var players: [Player] = []
            for _ in 0..<3 { players.append(try await server.newPlayer()) }
            for item in try Work(players: players, authority: authority).items.prefix(30) {
                #expect(try await server.post(item.receipt, token: item.token).status == 200)
            }
            let (from, to) = (server.folder.appending(path: "ledger.sqlite").path, try Self.emptyDatabase())
            let early = try await Program.run("ledger", "copy", "--from", from, "--to", to.url)
            #expect(early.status == 1)
            #expect(early.error == "Error: \(from): another program has it open; stop the server first\n")
            try await server.kill()
            let copy = try await Program.run("ledger", "copy", "--from", from, "--to", to.url)
            #expect(copy.status == 0 && copy.error.isEmpty, "\(copy)")
            #expect(copy.output.hasSuffix("3 accounts, 30 transactions\n"), "\(copy)")
            let trail = try await Program.run("audit", "verify", "--database", to.url)
            #expect(trail.status == 0, "\(trail)")
            let books = try await Program.run("ledger", "rebuild", "--check", "--database", to.url)
            #expect(books.status == 0 && books.output.hasPrefix("3 accounts, 30 transactions, "), "\(books)")
            let ledger = try PostgresLedger.open(url: to.url, handlers: Server.standardHandlers, limits: .patient)
            for player in players {
                let account = try await ledger.account(forToken: AccessToken.digest(of: player.token))
                #expect(account?.text == player.account)
            }
            try await server.start()
        }
    }

    /// Killed again and again anywhere, it completes, with every row once.
    @Test func `A copy killed anywhere completes with every row once`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 20, values: 20_000)
        let command = ["ledger", "copy", "--from", folder.database, "--to", try Self.emptyDatabase().url]
        let other = command.dropLast() + [try Self.emptyDatabase().url]
        let begun = ContinuousClock.now
        #expect(try await Program.run(Array(other)).status == 0)
        var killer = Killer(seed: 7, whole: begun.duration(to: .now), moments: 0.2...0.9)
        for _ in 0..<200 where killer.kills < 6 { _ = try await killer.run(command) }
        #expect(killer.kills == 6)
        let end = try await Program.run(command)
        #expect(end.status == 0 && end.error.isEmpty, "\(end)")
        #expect(try await Program.run(command).output == end.output, "once more it finds it done")
        #expect(try await folder.accounts(in: "ledger.sqlite") == 20)
    }

    @Test func `A copy without a source, to itself or to a wrong target is refused`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 2)
        try await folder.make("other.sqlite", accounts: 1)
        let (name, to) = try Self.emptyDatabase()
        func copy(_ from: String, to: String) async throws -> Program.Outcome {
            try await Program.run("ledger", "copy", "--from", from, "--to", to)
        }
        let none = folder.path("none")
        #expect(try await copy(none, to: to).error == "Error: \(none): there is no ledger\n")
        #expect(try await copy(to, to: to).status == 64)
        #expect(try await copy(folder.database, to: none).status == 64)
        let server = try PostgresServer.shared.get()
        let wrong = try await copy(folder.database, to: server.urlByTCP(name, password: "hunter2"))
        #expect(wrong.status == 1 && wrong.error.hasPrefix("Error: PostgreSQL: the ledger cannot be opened: "))
        #expect(!wrong.error.contains("hunter2") && wrong.error.split(separator: "\n").count == 1)
        #expect(try await copy(folder.path("other.sqlite"), to: to).status == 0)
        let used = try await copy(folder.database, to: to)
        #expect(used.status == 1)
        #expect(used.error == "Error: PostgreSQL: it holds another ledger; a copy goes into an empty database\n")
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test func `The progress of a copy has rows, rate and time left`() {
        var progress = LedgerCopyProgress(.copying, total: 340_000)
        #expect(progress.text(after: 0) == "copied 0 of 340000 rows")
        progress.done = 12_000
        #expect(progress.text(after: 2) == "copied 12000 of 340000 rows, 6000/s, 55 s left")
        progress = LedgerCopyProgress(.reading)
        progress.done = .max
        #expect(progress.text(after: 1e-9) == "read \(Int.max) rows")
    }

    /// A trail that was changed is found before the copy may be used.
    @Test func `A ledger with a changed audit trail is not copied for use`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 2)
        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        try await ledger.execute("DROP TRIGGER auditIsNotChanged; UPDATE audit SET kind = 'x' WHERE sequence = 3")
        try ledger.close()
        let to = try Self.emptyDatabase().url
        let copy = try await Program.run("ledger", "copy", "--from", folder.database, "--to", to)
        #expect(copy.status == 1)
        #expect(copy.error == "Error: \(folder.database): position 3: row 3 or its seal was changed\n")
        let none = #expect(throws: CommandError.self) {
            try LedgerOpener.openExisting(to, handlers: Server.standardHandlers)
        }
        #expect(none?.description == "PostgreSQL: the ledger cannot be opened: there is no ledger in the database")
    }

    /// PostgreSQL's own tools, used as docs/operate/postgresql.md says.
    @Test func `A ledger dumped and restored by PostgreSQL's tools is the same`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 5, values: 100)
        let (from, to) = (try Self.emptyDatabase().url, try Self.emptyDatabase().url)
        #expect(try await Program.run("ledger", "copy", "--from", folder.database, "--to", from).status == 0)
        let (tools, dump) = (try PostgresTools(), folder.path("ledger.dump"))
        for (tool, arguments) in [
            ("pg_dump", ["-Fc", "--file", dump, "--dbname", from]),
            ("pg_restore", ["--single-transaction", "--exit-on-error", "--no-owner", "--dbname", to, dump]),
        ] {
            let outcome = try await Program.run(arguments, executable: tools.program(tool))
            #expect(outcome.status == 0 && outcome.error.isEmpty, "\(tool): \(outcome)")
        }
        let trail = try await Program.run("audit", "verify", "--database", to)
        let before = try await Program.run("audit", "verify", "--database", from)
        #expect(trail.status == 0 && trail.output == before.output, "\(trail)")
        let books = try await Program.run("ledger", "rebuild", "--check", "--database", to)
        #expect(books.status == 0 && books.output.hasPrefix("5 accounts, "), "\(books)")
        let again = try await Program.run("ledger", "copy", "--from", folder.database, "--to", to)
        #expect(again.status == 0, "every row is as it was: \(again)")
        for command in [["ledger", "backup", folder.path("b")], ["ledger", "restore", folder.path("b")]] {
            let outcome = try await Program.run(command + ["--database", to])
            #expect(outcome.status == 1 && outcome.error.split(separator: "\n").count == 1)
            #expect(outcome.error.contains("pg_dump"), "\(outcome)")
        }
    }
}
