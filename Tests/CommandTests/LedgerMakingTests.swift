import Foundation
import GRDB
import InAppPurchase
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine

/// Which commands make a ledger, and what the others say if there is none.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct LedgerMakingTests {
    /// Every command that opens a ledger, except `serve`, `simulator`, `ledger restore` and `ledger copy`, which make
    /// one.
    static let commands = [
        ["admin-token", "create", "--name", "a", "--role", "read"], ["admin-token", "list"],
        ["admin-token", "revoke", "--name", "a"],
        ["accounts", "show", "946cfa6b-15d2-4a46-80c4-54ee4b20b092"],
        ["audit", "verify"], ["audit", "export"], ["audit", "erase", "--rows", "1", "--reason", "a"],
        ["bundles", "publish", Project.folder("content/hard-words/1.0.0"), "--bundle", "b", "--version", "9.0.0"],
        ["bundles", "yank", "hard-words", "1.0.0"], ["bundles", "restore", "hard-words", "1.0.0"],
        ["bundles", "discard", "hard-words", "1.0.0"], ["bundles", "promote", "hard-words", "1.0.0"],
        ["catalog", "push", Project.folder("products.json")], ["catalog", "pull"], ["catalog", "history"],
        ["catalog", "diff", Project.folder("products.json")], ["catalog", "rollback", "1"],
        ["deliveries", "list"], ["receipts", "list", "--status", "pending"], ["ledger", "rebuild"],
        ["ledger", "rebuild", "--check"], ["ledger", "migrate"], ["ledger", "migrate", "--dry-run"],
        ["status", "--quiet"],
        ["ledger", "backup", "/tmp/never"], ["notifications", "reconcile"],
        ["products", "add", "--app", World.app, #"{"id": "x", "type": "consumable"}"#],
        ["products", "remove", "--app", World.app, "\(World.app).tenhints"],
        ["products", "list"], ["products", "check"],
    ]

    @Test(arguments: commands) func `No other command makes a ledger`(command: [String]) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try FileManager.default.createDirectory(atPath: folder.path("content"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Project.folder("products.json"), toPath: folder.path("products.json"))
        // These read the catalog, which is in the ledger.
        let isCatalogs = command[0] == "catalog" || ["list", "check"].contains(command[1]) && command[0] == "products"
        let environment = [
            "QUARTERMASTER_DATABASE": folder.database, "QUARTERMASTER_CONTENT": folder.path("content"),
            "QUARTERMASTER_PRODUCTS": folder.path("products.json"),
            "QUARTERMASTER_CATALOG": isCatalogs ? "database" : "file",
        ]
        let before = try folder.names
        let none = try await Program.run(command, environment: environment)
        #expect(none.status == 1 && none.output.isEmpty, "\(none)")
        #expect(none.error == "Error: \(folder.database): there is no ledger\n", "\(none)")
        #expect(try folder.names == before)

        // A file that is empty, or another program's database, is none either, and stays as it is.
        try Data().write(to: URL(filePath: folder.database))
        let empty = try await Program.run(command, environment: environment)
        #expect(empty.status == 1 && empty.error.hasPrefix("Error: \(folder.database): "), "\(empty)")
        #expect(empty.error.split(separator: "\n").count == 1, "\(empty)")
        #expect(try Data(contentsOf: URL(filePath: folder.database)).isEmpty)
        let other = try DatabaseQueue(path: folder.database)
        try await other.write { try $0.execute(sql: "CREATE TABLE a (b)") }
        try other.close()
        let bytes = try Data(contentsOf: URL(filePath: folder.database))
        let foreign = try await Program.run(command, environment: environment)
        #expect(foreign.status == 1 && foreign.error.hasPrefix("Error: \(folder.database): "), "\(foreign)")
        #expect(foreign.error.split(separator: "\n").count == 1, "\(foreign)")
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == bytes)
    }

    @Test(arguments: [["serve", "--migrate-only"], ["serve", "--simulator"]])
    func `No ledger is made in another program's database`(command: [String]) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let other = try DatabaseQueue(path: folder.database)
        try await other.write { try $0.execute(sql: "CREATE TABLE photos (name)") }
        try other.close()
        let bytes = try Data(contentsOf: URL(filePath: folder.database))
        let refused = try await Program.run(
            command,
            environment: [
                "QUARTERMASTER_DATABASE": folder.database, "QUARTERMASTER_CONTENT": Project.folder("content"),
                "QUARTERMASTER_PRODUCTS": Project.folder("products.json"), "QUARTERMASTER_PORT": "0",
            ])
        #expect(refused.status == 1)
        #expect(
            refused.error.hasSuffix(
                """
                Error: \(folder.database): the ledger cannot be opened: the file is a database of another program: it \
                has the tables "photos"; name another file for the ledger

                """), "\(refused)")
        #expect(try Data(contentsOf: URL(filePath: folder.database)) == bytes)
    }

    /// A name that is not absolute is reported with its folder: that is what is usually wrong about it.
    @Test func `A missing ledger with a relative name is reported with its folder`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let place = try #require(realpath(folder.path(""), nil).map { String(cString: $0) })
        let outcome = try await Program.run(["admin-token", "list"], in: folder.folder)
        #expect(outcome.status == 1 && outcome.error == "Error: \(place)/quartermaster.sqlite: there is no ledger\n")
    }
}
