import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `ledger backup` and `ledger restore` as an operator types them.
@Suite(
    .enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."), .serialized)
struct BackupCommandTests {
    /// While eight connections write, each backup is complete, and has what was acknowledged before it began.
    @Test func `A backup beside a writing server is complete`() async throws {
        try await ServerProcess.run { server, authority in
            var players: [Player] = []
            for _ in 0..<4 { players.append(try await server.newPlayer()) }
            let work = try Work(players: players, authority: authority)
            let (folder, database) = (try LedgerFolder(), server.folder.appending(path: "ledger.sqlite").path)
            defer { folder.leave() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<Work.connections {
                    group.addTask { try await work.post(by: worker, to: server) }
                }
                for number in 1...4 {
                    try await poll("receipts are posted") { work.posted > number * 100 }
                    try await Self.backUp(database, as: "\(number)", in: folder, beside: work)
                }
                try await group.waitForAll()
            }
            #expect(work.items.allSatisfy { work.isAcknowledged($0) }, "nobody was refused meanwhile")
            #expect(try folder.names == ["1", "2", "3", "4"], "nothing else is left")
        }
    }

    private static func backUp(
        _ database: String, as name: String, in folder: LedgerFolder, beside work: Work
    ) async throws {
        let acknowledged = work.items.count { work.isAcknowledged($0) }
        let backup = try await Program.run("ledger", "backup", folder.path(name), "--database", database)
        #expect(backup.status == 0 && backup.error.isEmpty, "\(backup)")
        #expect(try await folder.accounts(in: name) == 4)
        let kept = try await DatabaseQueue(path: folder.path(name)).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM transactions") ?? 0
        }
        #expect(kept >= acknowledged && acknowledged > 0)
    }

    @Test func `A backup replaces no file`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 2)
        let backup = ["ledger", "backup", folder.path("1"), "--database", folder.database]
        #expect(try await Program.run(backup).status == 0)
        let before = try Data(contentsOf: URL(filePath: folder.path("1")))
        let again = try await Program.run(backup)
        #expect(again.status == 1)
        #expect(again.error == "Error: \(folder.path("1")): there is a file of this name already\n")
        #expect(try Data(contentsOf: URL(filePath: folder.path("1"))) == before)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("1"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// Back to the moment of the backup; what came after it is in the file that was replaced.
    @Test func `A backup is restored only while no server runs`() async throws {
        try await ServerProcess.run { server, _ in
            let (folder, database) = (try LedgerFolder(), server.folder.appending(path: "ledger.sqlite").path)
            defer { folder.leave() }
            let early = try await server.newPlayer()
            let (backup, restore) = (folder.path("backup"), ["ledger", "restore", folder.path("backup")])
            #expect(try await Program.run("ledger", "backup", backup, "--database", database).status == 0)
            let late = try await server.newPlayer()
            let refused = try await Program.run(restore + ["--database", database])
            #expect(refused.status == 1)
            #expect(refused.error == "Error: \(database): another program has it open; stop the server first\n")
            try await server.kill()
            let link = folder.path("link.sqlite")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
            let done = try await Program.run(restore + ["--database", link])
            #expect(done.status == 0 && done.error.isEmpty, "\(done)")
            try await server.start()
            #expect(try await server.call(.GET, "/v1/entitlements", token: early.token).status == 200)
            #expect(try await server.call(.GET, "/v1/entitlements", token: late.token).status == 401)
            let kept = try #require(
                try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
                    .first { $0.hasPrefix("ledger.sqlite.replaced-") })
            #expect(done.output.hasSuffix("what it replaced: \(server.folder.appending(path: kept).path)\n"))
            let replaced = try SQLiteLedger.open(
                path: server.folder.appending(path: kept).path, handlers: Server.standardHandlers)
            #expect(try await replaced.account(forToken: AccessToken.digest(of: late.token))?.text == late.account)
        }
    }

    /// Nobody goes back to an earlier state unnoticed: neither in the trail that goes on nor in the one put aside.
    @Test func `A restoration is in both audit trails`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 3)
        try await folder.make("backup", accounts: 1)
        let restore = ["ledger", "restore", folder.path("backup"), "--database", folder.database]
        let done = try await Program.run(restore)
        #expect(done.status == 0 && done.error.isEmpty, "\(done)")
        let kept = try #require(try folder.names.first { $0.hasPrefix("ledger.sqlite.replaced-") })
        let (old, new) = (try await folder.lastRow(of: kept), try await folder.lastRow(of: "ledger.sqlite"))
        #expect(old.kind == "ledger.replaced" && new.kind == "ledger.restored")
        for row in [old, new] {
            #expect(row.actor == "command:\(NSUserName())")
            #expect(row.content["backup"]["file"].text == folder.path("backup"))
            #expect(row.content["backup"]["position"] == 2 && row.content["backup"]["hash"].text?.count == 64)
        }
        let place = try #require(realpath(folder.path(""), nil).map { String(cString: $0) })
        #expect(old.content["keptAs"].text == "\(place)/\(kept)")
        #expect(new.content["replaced"]["keptAs"] == old.content["keptAs"])
        #expect(new.content["replaced"]["position"] == 7, "that of the row in the other trail: \(new)")
        for (name, rows) in [(kept, 7), ("ledger.sqlite", 3)] {
            let verify = try await Program.run("audit", "verify", "--database", folder.path(name), "--json").json
            #expect(verify["rows"] == .integer(rows) && verify["unsealed"] == 0, "\(verify)")
            #expect(verify["lastCheckpoint"]["position"] == .integer(rows))
        }
        #expect(try await folder.accounts(in: "backup") == 1)
        // If nothing was replaced there is one trail.
        let alone = folder.path("alone.sqlite")
        #expect(try await Program.run("ledger", "restore", folder.path("backup"), "--database", alone).status == 0)
        let row = try await folder.lastRow(of: "alone.sqlite")
        #expect(row.kind == "ledger.restored" && row.content["replaced"] == .null)
    }

    /// A file that is no ledger has no trail, and is still put aside.
    @Test func `A file that is no ledger is put aside by a restoration`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("backup", accounts: 1)
        let other = try DatabaseQueue(path: folder.database)
        try await other.write { try $0.execute(sql: "CREATE TABLE a (b)") }
        try other.close()
        let done = try await Program.run("ledger", "restore", folder.path("backup"), "--database", folder.database)
        #expect(done.status == 0 && done.error.isEmpty, "\(done)")
        let row = try await folder.lastRow(of: "ledger.sqlite")
        #expect(row.content["replaced"]["keptAs"].text?.contains("replaced-") == true)
        #expect(row.content["replaced"]["position"] == .null)
    }

    /// Wherever it is killed, the old ledger or the new one is there, complete.
    @Test func `A restoration killed anywhere leaves the old ledger or the new one`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("a", accounts: 1, values: 5_000)
        try await folder.make("b", accounts: 2, values: 5_000)
        try await folder.make("ledger.sqlite", accounts: 1, values: 5_000)
        func restore(_ name: String) -> [String] {
            ["ledger", "restore", folder.path(name), "--database", folder.database]
        }
        let begun = ContinuousClock.now
        #expect(try await Program.run(restore("b")).status == 0)
        var killer = Killer(seed: 3, whole: begun.duration(to: .now), moments: 0.3...1.1)
        var accounts = 2
        // More rounds if the machine was busy when it was measured how long one takes.
        for round in 0..<200 where round < 24 || killer.kills < 4 {
            let name = round.isMultiple(of: 2) ? "a" : "b"
            let isDone = try await killer.run(restore(name))
            let now = try await folder.accounts(in: "ledger.sqlite")
            let new = name == "a" ? 1 : 2
            #expect(isDone ? now == new : [accounts, new].contains(now))
            accounts = now
        }
        #expect(killer.kills > 3)
        #expect(try await Program.run(restore("a")).status == 0)
        #expect(try await folder.accounts(in: "ledger.sqlite") == 1)
        for name in try folder.names where name.contains("replaced") {
            #expect([1, 2].contains(try await folder.accounts(in: name)))
        }
    }

    private static let advice = "restore a backup: quartermaster ledger restore"

    @Test(arguments: ["schema", "text"])
    func `What opens a damaged ledger says how to restore a backup`(name: String) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.makeUnfit()
        for command in [["admin-token", "list"], ["ledger", "rebuild", "--check"], ["serve", "--migrate-only"]] {
            let outcome = try await Program.run(command + ["--database", folder.path(name)])
            #expect(outcome.status == 1 && outcome.error.hasPrefix("Error: \(folder.path(name)): "), "\(outcome)")
            #expect(outcome.error.contains(Self.advice), "\(outcome)")
            #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome)")
        }
    }

    @Test func `Files that are no usable ledger are neither restored nor backed up`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try await folder.make("ledger.sqlite", accounts: 3)
        try await folder.makeUnfit()
        let before = (try folder.names, try Data(contentsOf: URL(filePath: folder.database)))
        for name in ["tampered", "later", "broken", "schema", "other", "text", "none"] {
            let restore = try await Program.run("ledger", "restore", folder.path(name), "--database", folder.database)
            #expect(restore.status == 1 && restore.output.isEmpty)
            #expect(restore.error.hasPrefix("Error: \(folder.path(name)): "), "\(restore)")
            #expect(restore.error.split(separator: "\n").count == 1, "\(restore)")
            let backup = try await Program.run("ledger", "backup", folder.path("copy"), "--database", folder.path(name))
            #expect(backup.status == 1 && backup.error.split(separator: "\n").count == 1, "\(backup)")
            let isDamaged = ["broken", "schema", "text"].contains(name)
            for error in [restore.error, backup.error] { #expect(error.contains(Self.advice) == isDamaged, "\(error)") }
        }
        #expect(try folder.names == before.0)
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == before.1)
        let itself = try await Program.run("ledger", "restore", folder.database, "--database", folder.database)
        #expect(itself.error == "Error: \(folder.database): it is the ledger itself\n")
    }
}

extension LedgerFolder {
    fileprivate func lastRow(of name: String) async throws -> (kind: String, actor: String?, content: JSONValue) {
        let ledger = try SQLiteLedger.open(path: path(name), handlers: Server.standardHandlers)
        let row = try #require(try await ledger.auditRows(after: 0, limit: 1_000).last)
        try ledger.close()
        let content = try JSONDecoder().decode(JSONValue.self, from: Data((row.content ?? "").utf8))
        return (row.kind, row.actor, content)
    }

    /// Files of which each is no ledger that this version can use, or no whole one.
    fileprivate func makeUnfit() async throws {
        for (name, statement) in [
            ("tampered", "DROP TRIGGER auditIsNotChanged; UPDATE audit SET kind = 'x' WHERE sequence = 3"),
            ("later", "INSERT INTO grdb_migrations VALUES ('999')"), ("broken", "SELECT 1"), ("schema", "SELECT 1"),
        ] {
            try await make(name, accounts: 3, values: 500)
            let queue = try DatabaseQueue(path: path(name))
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: statement)
                _ = try db.checkpoint(.truncate)
            }
            try queue.close()
        }
        // A page somewhere, and the table of all tables, after the head of the file.
        for (name, page) in [("broken", 40_960..<45_056), ("schema", 100..<4_096)] {
            var bytes = try Data(contentsOf: URL(filePath: path(name)))
            try #require(bytes.count > page.upperBound)
            bytes.replaceSubrange(page, with: Data(repeating: 0xEE, count: page.count))
            try bytes.write(to: URL(filePath: path(name)))
        }
        let other = try DatabaseQueue(path: path("other"))
        try await other.write { try $0.execute(sql: "CREATE TABLE a (b)") }
        try other.close()
        try Data("no database, but long enough to be taken for the head of one".utf8)
            .write(to: URL(filePath: path("text")))
    }
}
