import Foundation
import HTTPTypes
import InAppPurchase
import LedgerSQLite
import ServerHTTP
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The root key, from its file to what a server answers.
@Suite struct KeysCommandTests {
    @Test func `A root key signs the list of a server's keys`() async throws {
        try await World.run { world in
            let stage = try Stage()
            defer { stage.leave() }
            let root = try await stage.run("root", "create", "--out", stage.path("root.pem"))
            #expect(root.status == 0 && root.output.count == 44, "32 bytes in base64url, and a line's end")
            let mode = try FileManager.default.attributesOfItem(atPath: stage.path("root.pem"))[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(try await stage.run("root", "create", "--out", stage.path("root.pem")).status == 1, "it exists")

            // Where the root is, there is no ledger, and where the ledger is, there is no root.
            try await world.call(.get, "/v1/keys").bytes.write(to: URL(filePath: stage.path("keys.json")))
            let list = try await stage.run(
                "sign", "--root", stage.path("root.pem"), "--list", stage.path("keys.json"), "--days", "30")
            #expect(list.status == 0)
            let signed = try SignedKeyList(list.output.trimmingCharacters(in: .whitespacesAndNewlines))
            #expect(signed.root + "\n" == root.output && signed.list.version == 1 && signed.list.keys.count == 1)
        }
    }

    @Test func `Lists are signed and published in the ledger, each with a higher version`() async throws {
        let stage = try Stage()
        defer { stage.leave() }
        let none = try await stage.run("list", "--database", stage.database)
        #expect(none.status == 1 && none.error.contains("there are no keys yet"))
        let first = try await stage.makeKeys()
        _ = try await stage.run("root", "create", "--out", stage.path("root.pem"))
        let sign = ["sign", "--root", stage.path("root.pem"), "--database", stage.database]
        let unsigned = try await stage.run("list", "--database", stage.database)
        #expect(unsigned.output.hasSuffix("\tsigns\nNo root key has signed them.\n"), "\(unsigned.output)")
        #expect(try await stage.run(sign).output.hasPrefix("Published: version 1, 1 key, until "))
        let listed = try await stage.run("list", "--database", stage.database, "--json").json
        #expect(listed["version"] == 1 && listed["keys"].array.map { $0["kid"].text } == [first])

        // The key was stolen, and there is no other.
        let other = try await stage.run(sign + ["--without", first])
        #expect(other.output.hasPrefix("Published: version 2, 1 key, until "), "\(other)")
        let after = try await stage.run("list", "--database", stage.database).output.split(separator: "\n")
        #expect(after.count == 3 && after[0].hasPrefix(first) && after[0].hasSuffix("\tleft out"))
        #expect(after[1].hasSuffix("\tsigns"), "at once, though it was announced today")
        #expect(try await stage.run(sign + ["--without", "x"]).error.contains("x: there is no such key"))

        // From a machine with the root: the second time nothing changes, an older list is refused.
        try await stage.run("list", "--database", stage.database, "--json").output
            .write(toFile: stage.path("keys.json"), atomically: true, encoding: .utf8)
        let offline = ["sign", "--root", stage.path("root.pem"), "--list", stage.path("keys.json")]
        try await stage.run(offline).output.write(toFile: stage.path("a"), atomically: true, encoding: .utf8)
        for _ in 0..<2 {
            let published = try await stage.run("publish", stage.path("a"), "--database", stage.database)
            #expect(published.output.hasPrefix("Published: version 3, 1 key, until "), "\(published)")
        }
        try await stage.run(offline + ["--days", "40"]).output
            .write(toFile: stage.path("b"), atomically: true, encoding: .utf8)
        let late = try await stage.run("publish", stage.path("b"), "--database", stage.database)
        #expect(late.status == 1 && late.error.contains("the list has version 3, but 3 is published"), "\(late)")
    }

    @Test(arguments: [
        (["sign", "--root", "nothing.pem", "--list", "x"], "nothing.pem", Int32(1)),
        (["sign", "--root", "nothing.pem", "--list", "x", "--without", "-x"], "nothing.pem", 1),
        (["sign", "--root", "r", "--days", "29"], "--days: 30 to 3650", 64),
        (["sign", "--root", "r", "--list", "x", "--database", "y"], "leave out --database", 64),
        (["publish", "products.json"], "products.json: this is no list of keys", 1),
    ])
    func `A mistake is named`(arguments: [String], error: String, status: Int32) async throws {
        let stage = try Stage()
        defer { stage.leave() }
        try Data("{}".utf8).write(to: URL(filePath: stage.path("products.json")))
        let outcome = try await Program.run(["keys"] + arguments, in: stage.folder)
        #expect(outcome.status == status && outcome.error.contains(error), "\(outcome)")
    }
}

private struct Stage {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")

    var database: String { path("ledger.sqlite") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try SQLiteLedger.open(path: database, handlers: Server.standardHandlers)
    }

    func leave() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Makes the first key, as the first start of a server does.
    ///
    /// - Returns: its ID.
    func makeKeys() async throws -> String {
        let ledger = try SQLiteLedger.open(path: database, handlers: Server.standardHandlers)
        let keyring = try await ManifestKeyring(
            ledger, every: 365, random: systemRandomBytes, clock: { Date() }, logger: World.quiet)
        return keyring.keys.signing(at: Date()).id
    }

    func run(_ arguments: String...) async throws -> Program.Outcome { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Program.Outcome { try await Program.run(["keys"] + arguments) }
}
