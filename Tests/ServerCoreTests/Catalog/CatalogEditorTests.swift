import Content
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The file on the disk: who else edits it, what it was, and what happens if it cannot be written.
@Suite struct CatalogEditorTests {
    static let date = Date(timeIntervalSince1970: 1_795_000_000)
    static let entry = "{\"id\": \"new\", \"type\": \"consumable\"}"

    /// A catalog in a folder of its own, and an editor of it as a command is.
    private struct EditedCatalog {
        let folder: URL
        let ledger: any Ledger

        var file: URL { folder.appending(path: "products.json") }
        var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
            try Project.products.write(to: file, atomically: false, encoding: .utf8)
        }

        func add(_ entry: String = CatalogEditorTests.entry, at path: String? = nil) async throws -> CatalogChange {
            let editor = CatalogEditor(
                path: path ?? file.path, handlers: Server.standardHandlers, bundles: { CatalogEditTests.bundles },
                trail: CatalogAudit(ledger: ledger), effect: .none)
            let edit = CatalogEdit(app: BundleID(stored: World.app), product: nil, act: .put(Data(entry.utf8)))
            return try await editor.apply(edit, by: .operatingSystemUser, at: CatalogEditorTests.date)
        }

        func kinds() async throws -> [String] { try await ledger.auditRows(after: 0, limit: 100).map(\.kind) }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    @Test func `An edited file keeps its mode and owner, and nothing is left behind`() async throws {
        let catalog = try EditedCatalog()
        defer { catalog.remove() }
        // What a killed editor leaves behind.
        try "half".write(to: catalog.folder.appending(path: ".products.json.new"), atomically: false, encoding: .utf8)
        let path = FilePath(catalog.file.path)
        chmod(path.string, 0o640)
        let isRoot = geteuid() == 0
        if isRoot { chown(path.string, 12_345, 23_456) }
        let before = try path.stat()
        #expect(try await catalog.add().outcome == .added)
        let after = try path.stat()
        #expect(after.permissions == FilePermissions(rawValue: 0o640) && after.inode != before.inode)
        #expect(after.userID == before.userID && after.groupID == before.groupID)
        #expect(try FileManager.default.contentsOfDirectory(atPath: catalog.folder.path) == ["products.json"])
    }

    @Test func `A symbolic link stays and its target is replaced`() async throws {
        let (catalog, other) = (try EditedCatalog(), try EditedCatalog())
        defer { [catalog, other].forEach { $0.remove() } }
        let link = other.folder.appending(path: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: catalog.file)
        _ = try await catalog.add(at: link.path)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == catalog.file.path)
        #expect(try catalog.text.contains("\"new\"") && !other.text.contains("\"new\""))
    }

    @Test func `A file that cannot be written stays as it was, and that is audited`() async throws {
        let catalog = try EditedCatalog()
        defer { catalog.remove() }
        let before = try catalog.text
        // In the way of the temporary file, and cannot be removed by unlinking.
        try FileManager.default.createDirectory(
            at: catalog.folder.appending(path: ".products.json.new"), withIntermediateDirectories: true)
        let refusal = await #expect(throws: CatalogRefusal.self) { try await catalog.add() }
        guard case .notWritable(let detail)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(detail.contains("cannot be replaced"))
        #expect(CatalogRefusal.notWritable(detail).problem.status == .serviceUnavailable)
        #expect(try catalog.text == before)
        try #require(try await catalog.kinds() == ["product.added", "product.notChanged"])
        let rows = try await catalog.ledger.auditRows(after: 0, limit: 10).map(\.json)
        #expect(rows[0]["revisionAfter"] == rows[1]["revisionNotReached"])
        #expect(rows[1]["revision"] == .string(CatalogFile.revision(of: Data(before.utf8))))
        // Nothing is mistaken for an edit by hand afterwards.
        try FileManager.default.removeItem(at: catalog.folder.appending(path: ".products.json.new"))
        _ = try await catalog.add()
        #expect(try await catalog.kinds() == ["product.added", "product.notChanged", "product.added"])
    }

    @Test(arguments: [Errno.resourceBusy, .readOnlyFileSystem, .permissionDenied, .notPermitted, .noSpace, .ioError])
    func `The error of a file that cannot be written says what to do`(error: Errno) {
        guard case .notWritable(let detail) = CatalogRefusal.notWritable(error) else { return }
        let words = [
            Errno.resourceBusy: "mount its folder", .readOnlyFileSystem: "read-only", .noSpace: "free space",
            .permissionDenied: "own the file", .notPermitted: "own the file",
        ]
        #expect(detail.contains(words[error] ?? "look at") && !detail.contains("\n"))
    }

    @Test func `A catalog file that is gone is not edited`() async throws {
        let catalog = try EditedCatalog()
        catalog.remove()
        await #expect(throws: CatalogRefusal.self) { try await catalog.add() }
        #expect(try await catalog.kinds() == [])
    }

    @Test func `All editors share one lock, which death releases`() async throws {
        let catalog = try EditedCatalog()
        defer { catalog.remove() }
        let folder = FilePath(catalog.folder.path)
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = ["--no-fork", catalog.folder.path, "sleep", "600"]
        (holder.standardOutput, holder.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try holder.run()
        try await poll("the other process holds the lock") {
            do {
                try await FolderLock.whileHeld(on: folder, timeout: .zero) {}
                return false
            } catch FolderLock.Unavailable.busy {
                return true
            }
        }
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        #expect(try await catalog.add().outcome == .added)
        let problem = CatalogRefusal.busy.problem
        #expect(problem.status == .serviceUnavailable && problem.retryAfter != nil)
    }

    private final class Inside: Sendable { let count = Mutex(0) }

    @Test func `One editor at a time holds the lock`() async throws {
        let catalog = try EditedCatalog()
        defer { catalog.remove() }
        let inside = Inside()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await FolderLock.whileHeld(on: FilePath(catalog.folder.path), timeout: .seconds(600)) {
                        #expect(
                            inside.count.withLock {
                                $0 += 1; return $0
                            } == 1)
                        await Task.yield()
                        inside.count.withLock { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Two editors that know nothing of each other, as two processes do.
    @Test func `Editors of two processes do not overwrite each other`() async throws {
        let catalog = try EditedCatalog()
        defer { catalog.remove() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    // The others hold the lock in turn, on a busy machine for longer than an editor waits.
                    while true {
                        do {
                            _ = try await catalog.add("{\"id\": \"p\(number)\", \"type\": \"consumable\"}")
                            return
                        } catch CatalogRefusal.busy {}
                    }
                }
            }
            try await group.waitForAll()
        }
        let file = try CatalogFile(
            Data(catalog.text.utf8), bundles: CatalogEditTests.bundles, handlers: Server.standardHandlers)
        #expect(file.catalog.apps.first?.products.count == 26)
        #expect(try await catalog.kinds() == Array(repeating: "product.added", count: 20))
    }

    @Test func `An edit by hand between two commands is recorded`() async throws {
        let catalog = try EditedCatalog()
        defer { catalog.remove() }
        _ = try await catalog.add()
        try (catalog.text + "\n").write(to: catalog.file, atomically: false, encoding: .utf8)
        _ = try await catalog.add("{\"id\": \"newer\", \"type\": \"consumable\"}")
        try #require(try await catalog.kinds() == ["product.added", "catalog.replaced", "product.added"])
        let rows = try await catalog.ledger.auditRows(after: 0, limit: 10).map(\.json)
        #expect(
            rows[1]["revisionBefore"] == rows[0]["revisionAfter"]
                && rows[1]["revisionAfter"] == rows[2]["revisionBefore"])
    }
}
