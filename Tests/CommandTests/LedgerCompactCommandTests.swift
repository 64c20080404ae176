import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// `ledger compact` as an operator types it.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct LedgerCompactCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "compact-\(UUID().uuidString)")

    /// The bytes of verified receipts as stored by a release that packed nothing.
    private func stored(in path: String) async throws -> [String: String] {
        try await DatabaseQueue(path: path).read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, content FROM receipts WHERE content <> '' AND status IN ('verified', 'conflict')")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["content"]) })
        }
    }

    private func contents(of path: String) async throws -> [String: String] {
        let ledger = try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
        var contents: [String: String] = [:]
        var position = BackfillPosition.start
        while position.phase == .receipts {
            let page = try await ledger.backfillPage(after: position)
            for case .receipt(let receipt, _) in page.items { contents[receipt.id] = receipt.content }
            position = page.next
        }
        return contents
    }

    private func size(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test func `A ledger of an earlier release becomes smaller`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try #require(ReleasedLedger.all.first).write(to: folder)
        let (before, sizeBefore) = (try await stored(in: path), try size(of: path))
        let first = try await Program.run("ledger", "compact", "--database", path)
        #expect(first.status == 0 && first.error.isEmpty, "\(first)")
        let line = first.output.wholeMatch(of: /(\d+) receipts packed: \d+ bytes before, \d+ now\n/)
        #expect(line?.1 == "\(Self.receipts)", "\(first)")
        #expect(try await contents(of: path) == before)
        // Three quarters of 1,312 receipts of 4 KB; app receipts and notifications stay.
        #expect(try size(of: path) < sizeBefore - 4_000_000)
        let again = try await Program.run("ledger", "compact", "--keep-file", "--database", path)
        #expect(again.output == "0 receipts packed: 0 bytes before, 0 now\n", "\(again)")
        let check = try await Program.run("ledger", "rebuild", "--check", "--database", path)
        #expect(check.status == 0 && check.output.hasSuffix("no difference\n"), "\(check)")
        let trail = try await Program.run("audit", "verify", "--database", path)
        #expect(trail.status == 0, "\(trail)")
    }

    private func packed(in path: String) async throws -> Int {
        var configuration = Configuration()
        configuration.busyMode = .timeout(180)
        return try await DatabaseQueue(path: path, configuration: configuration).read { db in
            // Before the first commit the file is as the earlier release wrote it.
            guard try db.columns(in: "receipts").contains(where: { $0.name == "packed" }) else { return 0 }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts WHERE packed IS NOT NULL") ?? 0
        }
    }

    /// Kills the command as soon as something is so, or when it has ended.
    private func compact(_ path: String, until isSo: () async throws -> Bool) async throws {
        let process = ProgramProcess(
            arguments: [ProgramProcess.server.path, "ledger", "compact", "--database", path],
            environment: ["QUARTERMASTER_CONFIG": "", "PATH": "/usr/bin:/bin"])
        try await process.start()
        while await process.isRunning {
            if try await isSo() { break }
            try await Task.sleep(for: .milliseconds(1))
        }
        try await process.kill()
    }

    @Test func `Killed while it packs or writes the file again, the command loses nothing and goes on`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let released = try #require(ReleasedLedger.all.first)
        let path = try released.write(to: folder)
        let before = try await stored(in: path)
        // Until it is seen in the middle: on a busy machine it may have packed everything before anybody looks.
        var packedBefore = 0
        while packedBefore == 0 || packedBefore == Self.receipts {
            try FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try released.write(to: folder)
            try await compact(path) { try await packed(in: path) > 0 }
            packedBefore = try await packed(in: path)
        }
        #expect(try await contents(of: path) == before)
        let sizeBefore = try size(of: path)
        // The log grows once more: by the new file.
        var logBefore: Int?
        try await compact(path) {
            guard try await packed(in: path) == Self.receipts, let log = try? size(of: path + "-wal") else {
                return false
            }
            defer { logBefore = logBefore ?? log }
            return log > logBefore ?? log
        }
        #expect(try await contents(of: path) == before)
        let last = try await Program.run("ledger", "compact", "--database", path)
        #expect(last.status == 0 && last.error.isEmpty, "\(last)")
        #expect(try await packed(in: path) == Self.receipts)
        #expect(try await contents(of: path) == before)
        #expect(try size(of: path) < sizeBefore)
        let check = try await Program.run("ledger", "rebuild", "--check", "--database", path)
        #expect(check.status == 0 && check.output.hasSuffix("no difference\n"), "\(check)")
    }

    /// Those of the released ledger that can be packed.
    private static let receipts = 1_312

    @Test func `Compacting a missing ledger is refused`() async throws {
        let none = try await Program.run("ledger", "compact", "--database", folder.appending(path: "none.sqlite").path)
        #expect(none.status == 1 && none.output.isEmpty, "\(none)")
    }
}
