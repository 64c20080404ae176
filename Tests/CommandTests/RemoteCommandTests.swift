import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Commands with `--server`, against a server that runs.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct RemoteCommandTests {
    /// A server with an administrator, and the commands at a distance and beside its ledger.
    private struct Place: Sendable {
        let world: World
        let folder: LedgerFolder
        let admin: Player

        var address: String { "http://127.0.0.1:\(world.port ?? 0)" }

        func remote(_ arguments: [String], token: String? = nil) async throws -> Program.Outcome {
            try await Program.run(
                arguments + ["--server", address], environment: ["QUARTERMASTER_ADMIN_TOKEN": token ?? admin.token])
        }

        func local(_ arguments: [String]) async throws -> Program.Outcome {
            try await Program.run(
                arguments,
                environment: [
                    "QUARTERMASTER_DATABASE": folder.database, "QUARTERMASTER_CONTENT": folder.path("content"),
                    "QUARTERMASTER_PRODUCTS": world.folder.appending(path: "products.json").path,
                    "QUARTERMASTER_ADMIN_TOKEN": "of another server",
                ])
        }

        func catalog() throws -> String {
            try String(contentsOf: world.folder.appending(path: "products.json"), encoding: .utf8)
        }
    }

    private func inPlace(_ test: @escaping @Sendable (Place) async throws -> Void) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try FileManager.default.copyItem(atPath: Project.folder("content"), toPath: folder.path("content"))
        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        try await World.run(ledger: ledger, environment: ["QUARTERMASTER_CONTENT": folder.path("content")]) { world in
            try await test(Place(world: world, folder: folder, admin: try await world.newAdmin()))
        }
    }

    private static let reading = [
        ["accounts", "find"], ["accounts", "find", "--limit", "1", "--json"],
        ["accounts", "find", "--transaction", "TRANSACTION"], ["accounts", "find", "--transaction", "1", "--json"],
        ["accounts", "find", "--account", "PLAYER"], ["accounts", "find", "--external-id", "4711", "--json"],
        ["accounts", "show", "PLAYER"], ["accounts", "show", "PLAYER", "--json"],
        ["receipts", "list", "--status", "rejected"], ["receipts", "list", "--status", "rejected", "--json"],
        ["receipts", "list"], ["deliveries", "list"], ["deliveries", "list", "--unconfirmed", "--json"],
        ["notifications", "list", "--json"],
        ["products", "list"], ["products", "list", "--json"], ["products", "check"], ["products", "check", "--json"],
        ["apps", "list"], ["apps", "list", "--json"], ["apps", "show", "--app", World.app],
        ["apps", "show", "--app", World.app, "--json"],
        ["bundles", "list"], ["bundles", "list", "--json"],
        ["report", "purchases", "--from", "2026-11-01", "--to", "2026-12-01", "--by", "day"],
        ["report", "purchases", "--from", "2026-11-01", "--to", "2026-12-01", "--by", "product", "--format", "csv"],
        ["report", "subscriptions", "--from", "2026-11-01", "--to", "2026-12-01", "--by", "day", "--format", "jsonl"],
    ]

    @Test func `A command prints of a distant server what it prints beside its ledger`() async throws {
        try await inPlace { place in
            let player = try await place.world.newPlayer()
            let bought = try await place.world.buy("hardwords", "non-consumable")
            #expect(try await place.world.post(bought.signedTransaction, as: player).status == 200)
            #expect(try await place.world.post("garbage", as: player).status == 422)
            #expect(try await place.world.manifest(of: "hard-words", as: player).status == 200)
            let credit: [String: JSONValue] = ["currency": "hints", "amount": 7]
            let given = try await place.world.act("credits", on: player, credit, as: place.admin, key: "k")
            #expect(given.status == 200, "\(given)")
            // Commands beside the ledger have the clock of the machine, by which all of that is past.
            place.world.clock.advance(by: 60)
            for command in Self.reading {
                let arguments = command.map {
                    $0.replacing("PLAYER", with: player.account).replacing("TRANSACTION", with: bought.transactionID)
                }
                let (remote, local) = (try await place.remote(arguments), try await place.local(arguments))
                #expect(remote.status == 0 && remote.error.isEmpty, "\(arguments): \(remote)")
                #expect(remote.output == local.output, "\(arguments)")
            }
        }
    }

    @Test func `Acts of support are done at a distance in the name of the token`() async throws {
        try await inPlace { place in
            let player = try await place.world.buyer(of: "hardwords")
            let act = { (words: [String]) in
                try await place.remote(["support"] + words + ["--reason", "ticket 7", "--json"])
            }
            let tried = try await act(["block", player.account, "--dry-run"])
            #expect(tried.status == 0 && tried.json["dryRun"] == true, "\(tried)")
            #expect(try await place.world.call(.get, "/v1/entitlements", as: player).status == 200)
            #expect(try await act(["block", player.account]).json["blockedAt"].text != nil)
            #expect(try await place.world.call(.get, "/v1/entitlements", as: player).status == 403)
            #expect(try await act(["unblock", player.account]).json == ["account": .string(player.account)])
            let credit = ["credit", player.account, "--currency", "hints", "--amount", "5", "--key", "k"]
            #expect(try await act(credit).json["balance"] == 5)
            #expect(try await act(credit).json["balance"] == 5, "the same key")
            let grant = try await act(["grant", player.account, "--product", "\(World.app).ioswords"])
            let id = try #require(grant.json["grant"].text, "\(grant)")
            #expect(try await act(["revoke-grant", player.account, id]).status == 0)
            let list = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try "\(player.account)\n".write(to: list, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: list) }
            let words = ["--accounts", list.path, "--product", "\(World.app).ioswords", "--key", "k"]
            #expect(try await act(["give"] + words + ["--dry-run"]).json["dryRun"] == true)
            #expect(try await act(["give"] + words).json["given"] == 1)
            #expect(try await act(["give"] + words).json["alreadyHad"] == [1])
            #expect(try await act(["tester", player.account]).json["testerSince"].text != nil)
            #expect(try await act(["tester", player.account, "--remove"]).json["testerSince"] == .null)
            let known = try await act(["external-id", player.account, "--id", "4711"])
            #expect(known.json["externalID"] == "4711", "\(known)")
            #expect(try await act(["external-id", player.account]).json == ["account": .string(player.account)])
            #expect(try await act(["sandbox-reset", player.account, "--app", World.app]).json["forgotten"] == 0)
            let code = try await place.remote(["support", "recovery-code", player.account, "--reason", "lost"])
            #expect(code.output.contains("recoveryCode: "), "\(code)")
            let rows = try await place.world.ledger.newestAuditRows(of: nil, before: nil, limit: 100)
            let kinds: Set = ["account.blocked", "credits.adjusted", "entitlement.granted", "tester.added"]
            let acts = rows.filter { kinds.contains($0.kind) }
            #expect(Set(acts.map(\.kind)) == kinds && acts.allSatisfy { $0.actor == "admin:alice" }, "\(rows)")
        }
    }

    @Test func `Purchases are transferred at a distance`() async throws {
        try await inPlace { place in
            let (first, second) = (try await place.world.newPlayer(), try await place.world.newPlayer())
            let bought = try await place.world.buy("hardwords", "non-consumable")
            #expect(try await place.world.post(bought.signedTransaction, as: first).status == 200)
            let words = [bought.originalID, "--reason", "ticket 7"]
            let moved = try await place.remote(["support", "transfer", "--to", second.account] + words)
            #expect(moved.status == 0 && moved.output.contains("owner: \(second.account)"), "\(moved)")
            let back = try await place.remote(["support", "undo-transfer", "--app", World.app] + words)
            #expect(back.status == 0 && back.output.contains("owner: \(first.account)"), "\(back)")
            let none = try await place.remote(["support", "undo-transfer", "77", "--reason", "ticket 7"])
            #expect(none.status == 1 && none.error.hasPrefix("Error: \(place.address): "), "\(none)")
        }
    }

    @Test func `The catalog is edited at a distance`() async throws {
        try await inPlace { place in
            let before = try place.catalog()
            let add = ["products", "add", "--app", World.app, SampleCatalog.fiveHints, "--reason", "ticket 7"]
            let tried = try await place.remote(add + ["--dry-run"])
            #expect(tried.status == 0 && tried.output.hasPrefix("dry run: added \(SampleCatalog.five)\n"), "\(tried)")
            #expect(try place.catalog() == before)
            let late = try await place.remote(add + ["--if-revision", "0000000000000000"])
            #expect(late.status == 1 && late.error.hasPrefix("Error: \(place.address): the catalog is at revision "))
            let added = try await place.remote(add + ["--json"])
            #expect(added.status == 0 && added.json["outcome"] == "added", "\(added)")
            #expect(try place.catalog().contains(SampleCatalog.five))
            let check = try await place.local(["products", "check", "--json"])
            #expect(added.json["revision"] == check.json["revision"], "\(added) \(check)")
            let removed = try await place.remote(["products", "remove", "--app", World.app, SampleCatalog.five])
            #expect(removed.status == 0 && removed.output.hasPrefix("removed \(SampleCatalog.five), "), "\(removed)")
            #expect(try !place.catalog().contains(SampleCatalog.five))
            let chess = ["--app", SampleCatalog.chess]
            let set = try await place.remote(["apps", "set", #"{"sandbox": "testers"}"#] + chess)
            #expect(set.status == 0 && set.output.hasPrefix("added \(SampleCatalog.chess), "), "\(set)")
            #expect(try await place.remote(["apps", "remove"] + chess).status == 0)
            let bought = try await place.remote(["apps", "remove", "--app", World.app])
            #expect(bought.status == 1 && bought.error.hasPrefix("Error: \(place.address): "), "\(bought)")
            let rows = try await place.world.ledger.newestAuditRows(of: nil, before: nil, limit: 100)
            let row = try #require(rows.first { $0.kind == "product.added" })
            #expect(row.actor == "admin:alice" && row.content?.contains("ticket 7") == true, "\(row)")
        }
    }

    /// Larger than what is read and sent at once.
    @Test func `A folder is published at a distance`() async throws {
        try await inPlace { place in
            let source = place.folder.folder.appending(path: "source")
            try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
            let large = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
            try large.write(to: source.appending(path: "large.bin"))
            try Data().write(to: source.appending(path: "empty.txt"))
            try Data("#!/bin/sh\n".utf8).write(to: source.appending(path: "start"))
            let publish = ["bundles", "publish", source.path, "--bundle", "hard-words", "--version", "1.1.0"]
            let first = try await place.remote(publish)
            #expect(first.status == 0 && first.error.hasPrefix("warning: start: a program or script;"), "\(first)")
            #expect(first.output == "hard-words 1.1.0: published, 3 files, 700010 bytes\n")
            let player = try await place.world.buyer(of: "hardwords")
            let manifest = try await place.world.manifest(of: "hard-words", "?version=1.1.0", as: player).json
            #expect(manifest["version"] == "1.1.0", "\(manifest)")
            let again = try await place.remote(publish)
            #expect(again.output == "hard-words 1.1.0: unchanged, published, 3 files, 700010 bytes\n", "\(again)")
            try Data("other".utf8).write(to: source.appending(path: "start"))
            let other = try await place.remote(publish)
            #expect(other.status == 1 && other.error.hasPrefix("Error: \(place.address): "), "\(other)")
            for (act, state) in [("yank", "yanked"), ("restore", "published")] {
                let done = try await place.remote(["bundles", act, "hard-words", "1.1.0", "--json"])
                #expect(done.json["state"] == .string(state) && done.json["changed"] == true, "\(done)")
                let twice = try await place.remote(["bundles", act, "hard-words", "1.1.0", "--json"])
                #expect(twice.json["changed"] == false, "\(twice)")
            }
            let none = try await place.remote(["bundles", "discard", "hard-words", "9.0.0"])
            #expect(none.status == 1 && none.error.hasPrefix("Error: \(place.address): "), "\(none)")
            let verify = try await place.local(["bundles", "verify"])
            #expect(verify.status == 0, "the file has arrived whole: \(verify)")
        }
    }

    @Test func `The status is that of the distant server`() async throws {
        try await inPlace { place in
            let status = try await place.remote(["status", "--json"])
            let overview = try await place.world.call(.get, "/admin/v1/overview", as: place.admin).json
            #expect(status.json["overview"] == overview && status.json["server"]["ready"] == true, "\(status)")
            #expect(status.json["server"]["address"] == .string(place.address))
            #expect((status.status == 0) == (overview["well"] == true), "\(status)")
            let text = try await place.remote(["status"])
            #expect(text.output.contains("\ngood\tThe server\t-\t-\tserves, at \(place.address)\n"), "\(text)")
        }
    }

    /// The token is sent to nobody but the server, and what only works beside a ledger says so.
    @Test func `A command at a distance is refused with the reason`() async throws {
        let away = ["--server", "http://127.0.0.1:1"]
        let (find, token) = (["accounts", "find"], ["QUARTERMASTER_ADMIN_TOKEN": "secret"])
        for (arguments, environment, error) in [
            (find + away, [:], "--server: needs an admin token in the environment variable"),
            (find + ["--server", "http://shop.example.com"], token, "--server: should begin with https://"),
            (find + ["--server", "shop.example.com"], token, "--server: should be the address of a server"),
            (find + ["--database", "x"] + away, token, "--server: that server has its own"),
            (find + away, token, "http://127.0.0.1:1: does not answer"),
            (["ledger", "compact"] + away, token, "--server: this command works on the ledger"),
            (["admin-token", "list"] + away, token, "--server: this command works on the ledger"),
            (["bundles", "verify"] + away, token, "--server: this command works on the ledger"),
        ] {
            let refused = try await Program.run(arguments, environment: environment)
            #expect(refused.status == 1 && refused.output.isEmpty, "\(arguments): \(refused)")
            #expect(refused.error.hasPrefix("Error: \(error)"), "\(arguments): \(refused)")
            #expect(!refused.error.contains("secret") && refused.error.split(separator: "\n").count == 1)
        }
    }

    @Test func `A distant server's problems are printed`() async throws {
        try await inPlace { place in
            let unknown = AccountID(UUID()).text
            let account = try await place.remote(["accounts", "show", unknown])
            #expect(account.status == 1 && account.error.hasPrefix("Error: \(place.address): "), "\(account)")
            let token = try await place.remote(["accounts", "find"], token: "wrong")
            #expect(token.status == 1 && token.error.hasPrefix("Error: \(place.address): No valid admin token"))
            let reader = try await place.world.newAdmin(.read, name: "bob")
            let act = ["support", "block", unknown, "--reason", "ticket 7"]
            let read = try await place.remote(act, token: reader.token)
            #expect(read.status == 1 && read.error.hasPrefix("Error: \(place.address): "), "\(read)")
        }
    }
}
