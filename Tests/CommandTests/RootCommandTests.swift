import Foundation
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

/// The files that root's commands leave behind beside a server that runs as another user, who owns the folder.
@Suite(
    .enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."),
    .enabled(if: geteuid() == 0, "Only root may give files to another user."))
struct RootCommandTests {
    static let (user, group) = (12_345 as uid_t, 23_456 as gid_t)

    /// As a hardened root, whose files nobody else may read.
    private static func run(_ arguments: [String], in folder: URL? = nil) async throws -> Program.Outcome {
        let shell = ["-c", "umask 077; exec \"$0\" \"$@\"", ServerProcess.executable.path]
        return try await Program.run(shell + arguments, executable: URL(filePath: "/bin/sh"), in: folder)
    }

    /// The files and folders below a folder that the server's user cannot read.
    private static func unreadable(in folder: String) async throws -> Program.Outcome {
        let server = ["--reuid=\(user)", "--regid=\(group)", "--clear-groups"]
        return try await Program.run(
            server + ["find", folder, "!", "-readable"], executable: URL(filePath: "/usr/bin/setpriv"))
    }

    /// The owner and the group of each file and folder in a folder, and of the folder itself.
    private static func owners(of folder: String) throws -> Set<[Int]> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Set(
            try (names + [""]).map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                return [facts[.ownerAccountID], facts[.groupOwnerAccountID]].compactMap { ($0 as? NSNumber)?.intValue }
            })
    }

    @Test func `What root publishes belongs to the owner of the content folder`() async throws {
        let desk = try PublishingServices()
        let content = desk.content.path
        chown(content, Self.user, Self.group)
        chmod(content, 0o750)
        func bundles(_ arguments: String...) async throws -> Program.Outcome {
            let database = desk.folder.appending(path: "ledger.sqlite").path
            return try await Self.run(["bundles"] + arguments + ["--content", content, "--database", database])
        }
        let source = try desk.source(["words.txt": String(repeating: "alpha", count: 1_000), "a/b.txt": "beta"])
        let published = try await bundles("publish", source, "--bundle", "french-words", "--version", "1.0.0")
        #expect(published.status == 0, "\(published)")
        #expect(try await bundles("yank", "hard-words", "1.0.0").status == 0)
        #expect(try await bundles("restore", "french-words", "1.0.0").status == 0)
        #expect(try await bundles("collect", "--grace", "0").status == 0)
        #expect(try Self.owners(of: content + "/.store") == [[Int(Self.user), Int(Self.group)]])
        let unreadable = try await Self.unreadable(in: content + "/.store")
        #expect(unreadable.status == 0 && unreadable.output == "" && unreadable.error == "", "\(unreadable)")
    }

    /// As earlier versions left it behind.
    @Test func `What the owner of the content folder cannot read is not published`() async throws {
        let desk = try PublishingServices()
        chown(desk.content.path, Self.user, Self.group)
        let source = try desk.source(["words.txt": "alpha"])
        let publish = ["publish", source, "--bundle", "french-words", "--version"]
        #expect(try await desk.run(publish + ["1.0.0"]).status == 0)
        let (store, folder) = (desk.content.path + "/.store", desk.content.path + "/.store/bundles/french-words")
        chown(folder, 0, 0)
        chmod(folder, 0o700)
        for version in ["1.0.0", "1.1.0"] {
            let refused = try await desk.run(publish + [version])
            #expect(refused.status == 1 && refused.output == "", "\(refused)")
            #expect(refused.error.contains(" \(version): not published: \(folder) cannot be read by "), "\(refused)")
            #expect(refused.error.hasSuffix("run chown -R --reference=\(desk.content.path) \(store)\n"), "\(refused)")
        }
        chown(folder, Self.user, Self.group)
        #expect(try await desk.run(publish + ["1.1.0"]).status == 0)
    }

    @Test func `Ledgers, backups and exports of root belong to the owner of their folder`() async throws {
        let (folder, elsewhere) = (try LedgerFolder(), try LedgerFolder())
        defer { [folder, elsewhere].forEach { $0.leave() } }
        try await elsewhere.make("ledger.sqlite", accounts: 1)
        chown(folder.folder.path, Self.user, Self.group)
        for arguments in [
            ["serve", "--migrate-only", "--database", folder.database],
            ["ledger", "backup", folder.path("backup"), "--database", elsewhere.database],
            ["audit", "export", "--output", folder.path("trail.jsonl"), "--database", elsewhere.database],
            ["ledger", "restore", folder.path("backup"), "--database", folder.path("restored.sqlite")],
        ] {
            let outcome = try await Self.run(arguments)
            #expect(outcome.status == 0, "\(outcome)")
        }
        #expect(try Set(folder.names).isSuperset(of: ["backup", "ledger.sqlite", "restored.sqlite", "trail.jsonl"]))
        #expect(try Self.owners(of: folder.folder.path) == [[Int(Self.user), Int(Self.group)]])
        #expect(try await Self.unreadable(in: folder.folder.path).output == "")
    }
}
