import Foundation
import GRDB
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Testing

@testable import QuartermasterServer

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

    @Test("A ledger of an earlier release becomes smaller")
    func aLedgerOfAnEarlierReleaseBecomesSmaller() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try #require(ReleasedLedger.all.first).write(to: folder)
        let (before, sizeBefore) = (try await stored(in: path), try size(of: path))
        let first = try Program.run("ledger", "compact", "--database", path)
        #expect(first.status == 0 && first.error.isEmpty, "\(first)")
        #expect(first.output.wholeMatch(of: /1312 receipts packed: \d+ bytes before, \d+ now\n/) != nil, "\(first)")
        #expect(try await contents(of: path) == before)
        // Three quarters of 1,312 receipts of 4 KB; app receipts and notifications stay.
        #expect(try size(of: path) < sizeBefore - 4_000_000)
        let again = try Program.run("ledger", "compact", "--keep-file", "--database", path)
        #expect(again.output == "0 receipts packed: 0 bytes before, 0 now\n", "\(again)")
        let check = try Program.run("ledger", "rebuild", "--check", "--database", path)
        #expect(check.status == 0 && check.output.hasSuffix("no difference\n"), "\(check)")
        let trail = try Program.run("audit", "verify", "--database", path)
        #expect(trail.status == 0, "\(trail)")
    }

    @Test("Compacting a missing ledger is refused")
    func compactingAMissingLedgerIsRefused() throws {
        let none = try Program.run("ledger", "compact", "--database", folder.appending(path: "none.sqlite").path)
        #expect(none.status == 1 && none.output.isEmpty, "\(none)")
    }
}
