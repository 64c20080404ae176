import Foundation
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

/// `admin-token` and `accounts`, as an operator runs them.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct AdminCommandTests {
    /// A folder with a catalog, a ledger, and the program to run there.
    struct Shell: Sendable {
        var folder: URL
        var database: URL { folder.appending(path: "ledger.sqlite") }

        /// A ledger with a player's purchase, and one that nobody presented.
        func makeLedger(_ player: AccountID) async throws {
            let ledger = try SQLiteLedger.open(path: database.path, handlers: Server.standardHandlers)
            try await ledger.createAccount(player, token: Data([1]), recoveryCode: Data([1]), at: World.start)
            let catalog = try CatalogFile.decode(
                Data(contentsOf: folder.appending(path: "products.json")), handlers: Server.standardHandlers)
            let context = RecordingContext(catalog: catalog, date: World.start)
            for (id, token) in [("1", player.uuid), ("2", nil)] {
                var copy = Transaction(
                    id: TransactionID(stored: id), originalID: TransactionID(stored: id),
                    app: BundleID(stored: World.app),
                    environment: .production, productID: ProductID(stored: "\(World.app).tenhints"),
                    purchaseDate: World.start, appAccountToken: token, signedDate: World.start, isSigned: true)
                copy.details = PurchaseDetails()
                copy.details?.orderID = "MK1"
                _ = try await ledger.observe(VerifiedReceipt(transactions: [copy]), cause: "n\(id)", in: context)
            }
            try ledger.close()
        }

        func run(_ arguments: String...) async throws -> (status: Int32, output: String, error: String) {
            try await run(arguments)
        }

        func run(_ arguments: [String]) async throws -> (status: Int32, output: String, error: String) {
            let (process, output, error) = (Process(), Pipe(), Pipe())
            process.executableURL = ServerProcess.executable
            process.arguments = arguments
            process.environment = [
                "QUARTERMASTER_DATABASE": database.path,
                "QUARTERMASTER_CONFIG": "",
                "QUARTERMASTER_CONTENT": folder.appending(path: "content").path,
                "QUARTERMASTER_PRODUCTS": folder.appending(path: "products.json").path,
            ]
            (process.standardOutput, process.standardError) = (output, error)
            try process.run()
            // Nothing here writes more than a pipe holds.
            try await poll("the command ends") { !process.isRunning }
            let texts = try [output, error].map {
                String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            }
            return (process.terminationStatus, texts.first ?? "", texts.last ?? "")
        }
    }

    static func inFolder(_ body: (Shell) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "content"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try SampleCatalog.text(SampleCatalog.hints)
            .write(to: folder.appending(path: "products.json"), atomically: true, encoding: .utf8)
        try await body(Shell(folder: folder))
    }

    /// Made before the first start, for a ledger made for it, and beside a running server; invalid from the next
    /// request when revoked.
    @Test func `Admin tokens are made and revoked beside a running server`() async throws {
        try await Self.inFolder { shell in
            let made = try await shell.run("serve", "--migrate-only")
            #expect(made.status == 0 && made.output == "\(shell.database.path): the ledger is ready\n", "\(made)")
            let mode = try FileManager.default.attributesOfItem(atPath: shell.database.path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(try await shell.run("serve", "--migrate-only").output == made.output)
            let alice = try await shell.run("admin-token", "create", "--name", "alice", "--role", "write")
            #expect(alice.status == 0 && alice.error == "")
            #expect(alice.output.wholeMatch(of: /[A-Za-z0-9_-]{43}\n/) != nil, "nothing but the token")
            let server = try await ServerProcess(folder: shell.folder, environment: [:])
            try await server.start()
            do {
                try await use(alice.output.trimmingCharacters(in: .newlines), on: server, shell)
            } catch {
                try await server.kill()
                throw error
            }
            try await server.kill()
        }
    }

    private func use(_ alice: String, on server: ServerProcess, _ shell: Shell) async throws {
        let bob = try await shell.run("admin-token", "create", "--name", "bob", "--role", "read", "--json")
        let token = try JSONDecoder().decode(JSONValue.self, from: Data(bob.output.utf8))["token"].text ?? ""
        for token in [alice, token] {
            #expect(try await server.call(.GET, "/admin/v1/audit", token: token).status == 200)
        }
        let player = try await server.newPlayer()
        let body: JSONValue = ["reason": "ticket 7"]
        let path = "/admin/v1/accounts/\(player.account)/block"
        #expect(try await server.call(.POST, path, body, token: token).status == 403)
        #expect(try await server.call(.POST, path, body, token: alice).status == 200)
        let shown = try await shell.run("accounts", "show", player.account)
        let words = shown.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(shown.status == 0 && words.first?.prefix(2) == ["account", Substring(player.account)], "\(shown)")
        #expect(words.first?.count == 8 && words.first?[3] != "", "blocked: \(shown)")
        #expect(words.last?.first == "sessions" && words.last?.count == 3, "\(shown)")
        let json = try await shell.run("accounts", "show", player.account, "--json").output
        let report = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        #expect(report == (try await server.call(.GET, "/admin/v1/accounts/\(player.account)", token: token)).json)
        #expect(try await shell.run("admin-token", "revoke", "--name", "alice").output == "alice: revoked\n")
        #expect(try await server.call(.GET, "/admin/v1/audit", token: alice).status == 401)
        let rows = try await server.call(.GET, "/admin/v1/audit?limit=1000", token: token).json["rows"].array
        let actor = "command:\(ProcessInfo.processInfo.userName)"
        let acts = rows.filter { $0["kind"].text?.hasPrefix("adminToken.") ?? false }
        #expect(acts.map { $0["actor"].text } == [actor, actor, actor])
        #expect(rows.contains { $0["kind"] == "account.blocked" && $0["actor"] == "admin:alice" })
        let list = try await shell.run("admin-token", "list").output.split(separator: "\n")
        #expect(list.count == 2 && list.first?.contains("alice\twrite\t") == true)
        #expect(list.first?.contains("revoked") == true && list.last?.hasSuffix("in force\tall") == true)
    }

    /// By order, transaction or original transaction, also one that nobody presented.
    @Test func `The command finds purchases by order and transaction`() async throws {
        try await Self.inFolder { shell in
            let player = AccountID(UUID())
            try await shell.makeLedger(player)
            let found = try await shell.run("accounts", "find", "--order", "MK1")
            let lines = found.output.split(separator: "\n").map(String.init)
            #expect(found.status == 0 && lines.count == 2, "\(found)")
            #expect(lines.first == "\(player.text)\t\(World.app)\tProduction\t1\t\t\t\t")
            #expect(lines.last?.hasPrefix("nobody presented it\t\(World.app)\tProduction\t2\t2\t") == true)
            let json = try await shell.run("accounts", "find", "--original-transaction", "2", "--json").output
            let body = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
            #expect(body["accounts"] == [] && body["unclaimed"][0]["transactions"][0]["id"] == "2", "\(json)")
            let nothing = try await shell.run("accounts", "find", "--order", "MK2")
            let sentence = "Nothing was found. The App Store was not asked: no app has a key for its API.\n"
            #expect(nothing.status == 0 && nothing.output == "" && nothing.error == sentence, "\(nothing)")
            let newest = try await shell.run("accounts", "find", "--limit", "1")
            #expect(newest.output == "\(player.text)\t\(World.start.rfc3339)\t\t\n", "\(newest)")
            let named = try await shell.run("accounts", "find", "--account", String(player.text.prefix(8)))
            #expect(named.output == newest.output, "\(named)")
            let after = try await shell.run("accounts", "find", "--after", player.text)
            #expect(after.status == 0 && after.output == "" && after.error.hasPrefix("Nothing was found."), "\(after)")
            for arguments in [
                ["--limit", "0"], ["--order", "1", "--receipt", "r_1"], ["--receipt", "r_1", "--app", "a"],
                ["--receipt", "r_1", "--limit", "1"], ["--receipt", "r_1", "--account", "00000000"],
            ] { #expect(try await shell.run(["accounts", "find"] + arguments).status == 64) }
            let wrong = try await shell.run("accounts", "find", "--order", "MK1", "--app", "x")
            #expect(
                wrong.status == 1 && wrong.error == "Error: Unknown app x; the catalog has \(World.app)\n", "\(wrong)")
            try await Self.withABrokenCatalog(shell, player)
        }
    }

    /// A command that needs no catalog works while somebody corrects it; any other says which file is wrong, and where.
    private static func withABrokenCatalog(_ shell: Shell, _ player: AccountID) async throws {
        try "{\n  \"apps\": [}".write(
            to: shell.folder.appending(path: "products.json"), atomically: true, encoding: .utf8)
        let acts = ["block", "unblock", "sessions-revoke", "tester", "beta", "recovery-code"]
        let working = [
            ["accounts", "find"], ["accounts", "find", "--transaction", "1"], ["accounts", "find", "--receipt", "r_1"],
        ]
        for arguments in working + acts.map({ ["support", $0, player.text, "--reason", "ticket 7"] }) {
            let outcome = try await shell.run(arguments)
            let isQuiet = outcome.error == "" || outcome.error == "Nothing was found.\n"
            #expect(outcome.status == 0 && isQuiet, "\(arguments): \(outcome)")
        }
        for arguments in [
            ["accounts", "find", "--order", "MK1"], ["accounts", "show", player.text],
            ["support", "credit", player.text, "--currency", "hints", "--amount", "5", "--reason", "ticket 7"],
        ] {
            let outcome = try await shell.run(arguments)
            let hasPlace = outcome.error.contains(/products\.json: .*\(line 2, column 12\)/)
            #expect(outcome.status == 1 && outcome.output == "" && hasPlace, "\(arguments): \(outcome)")
        }
    }

    /// The last row first, filtered as over HTTP, with who did it and why.
    @Test func `The command lists the audit trail with filters`() async throws {
        try await Self.inFolder { shell in
            let player = AccountID(UUID())
            try await shell.makeLedger(player)
            for act in ["block", "unblock"] {
                let done = try await shell.run("support", act, player.text, "--reason", "ticket \(act)")
                #expect(done.status == 0, "\(done)")
            }
            let list = { (arguments: [String]) in try await shell.run(["audit", "list"] + arguments) }
            let actor = "command:\(ProcessInfo.processInfo.userName)"
            let acts = try await list(["--actor", actor])
            let rows = acts.output.split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            #expect(rows.map { $0[2] } == ["account.unblocked", "account.blocked"] && acts.error == "", "\(acts)")
            #expect(rows.allSatisfy { $0.count == 7 && $0[3] == actor && $0[4] == player.text })
            let content = try JSONDecoder().decode(JSONValue.self, from: Data(rows[0][6].utf8))
            #expect(content["reason"] == "ticket unblock" && Date(rfc3339: rows[0][1]) != nil, "\(rows)")
            let first = try await list(["--account", player.text, "--limit", "1"])
            let before = try #require(first.error.firstMatch(of: /there are more: --before (\d+)\n/)?.output.1)
            let second = try await list(["--account", player.text, "--limit", "1", "--before", String(before)])
            #expect(first.output.hasPrefix(rows[0][0] + "\t") && second.output.hasPrefix(rows[1][0] + "\t"))
            let json = try await list(["--kind", "account.blocked", "--since", "2026-01-01", "--json"]).output
            let body = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
            #expect(body["rows"].array.count == 1 && body["rows"][0]["content"]["reason"] == "ticket block", "\(json)")
            #expect(body["rows"][0]["actor"].text == actor && body["next"] == .null)
            #expect(try await list(["--until", "2020-01-01"]).output == "")
            for arguments in [
                ["--account", "x"], ["--since", "soon"], ["--limit", "0"], ["--before", "0"], ["--kind", ""],
                ["--kind", "nosuch"],
            ] {
                let wrong = try await list(arguments)
                #expect(wrong.status == 64 && wrong.error.contains(arguments[0]), "\(wrong)")
            }
            let (refused, help) = (try await list(["--kind", "nosuch"]).error, try await list(["--help"]).output)
            for kind in AuditEntry.Kind.allCases.map(\.rawValue) {
                #expect(refused.contains(kind) && help.contains(kind), "\(kind)")
            }
        }
    }

    /// A command that did what it was asked says nothing with --quiet; requested output is printed, and errors are.
    @Test func `Confirmations are left out with --quiet`() async throws {
        try await Self.inFolder { shell in
            let player = AccountID(UUID())
            try await shell.makeLedger(player)
            _ = try await shell.run("admin-token", "create", "--name", "alice", "--role", "read")
            let silent = [
                ["support", "block", player.text, "--reason", "ticket 7"],
                ["admin-token", "revoke", "--name", "alice"],
                ["ledger", "rebuild"], ["ledger", "rebuild", "--check"], ["ledger", "compact"],
                ["ledger", "backup", shell.folder.appending(path: "backup.sqlite").path], ["audit", "verify"],
                ["bundles", "verify"], ["bundles", "collect"], ["notifications", "reconcile"],
            ]
            for arguments in silent {
                let outcome = try await shell.run(arguments + ["--quiet"])
                #expect(outcome.status == 0 && outcome.output == "" && outcome.error == "", "\(arguments): \(outcome)")
            }
            let said = [
                ["support", "recovery-code", player.text, "--reason", "ticket 7"],
                ["support", "unblock", player.text, "--reason", "ticket 7", "--dry-run"],
                ["support", "unblock", player.text, "--reason", "ticket 7", "--json"],
            ]
            for arguments in said {
                let outcome = try await shell.run(arguments + ["--quiet"])
                #expect(outcome.status == 0 && outcome.output != "", "\(arguments): \(outcome)")
            }
            let dry = try await shell.run(said[1]).output
            let (before, after) = (dry.range(of: "before: "), dry.range(of: "after: "))
            #expect(try #require(before).lowerBound < (try #require(after)).lowerBound, "\(dry)")
            let wrong = try await shell.run("admin-token", "revoke", "--name", "alice", "--quiet")
            #expect(wrong.status == 1 && wrong.error.hasPrefix("Error: alice: no admin token"), "\(wrong)")
        }
    }

    /// Exit 1: one line says what and where; 64: wrong usage. A wrong path makes no empty ledger.
    @Test func `Mistakes of admin commands end with one line and their exit status`() async throws {
        try await Self.inFolder { shell in
            let account = UUID().uuidString.lowercased()
            let missing = "Error: \(shell.database.path): there is no ledger\n"
            for outcome in [
                try await shell.run("admin-token", "list"), try await shell.run("accounts", "show", account),
                try await shell.run("admin-token", "revoke", "--name", "alice"),
                try await shell.run("admin-token", "create", "--name", "alice", "--role", "read"),
            ] { #expect(outcome.status == 1 && outcome.output == "" && outcome.error == missing, "\(outcome)") }
            #expect(!FileManager.default.fileExists(atPath: shell.database.path))
            for outcome in [
                try await shell.run("admin-token", "create", "--name", "alice", "--role", "root"),
                try await shell.run("admin-token", "create", "--name", "al ice", "--role", "read"),
                try await shell.run("admin-token", "create", "--role", "read"),
                try await shell.run("admin-token", "revoke"), try await shell.run("accounts", "show", "x"),
            ] {
                #expect(
                    outcome.status == 64 && outcome.output == "" && outcome.error.hasPrefix("Error: "), "\(outcome)")
            }
            #expect(!FileManager.default.fileExists(atPath: shell.database.path))
            _ = try await shell.run("serve", "--migrate-only")
            let create = { try await shell.run("admin-token", "create", "--name", "alice", "--role", "read") }
            #expect(try await create().status == 0)
            let second = try await create()
            #expect(second.status == 1 && second.output == "" && second.error.contains("alice: an admin token"))
            let nobody = try await shell.run("admin-token", "revoke", "--name", "bob")
            #expect(nobody.status == 1 && nobody.error == "Error: bob: no admin token of this name is in force\n")
            let unknown = try await shell.run("accounts", "show", account)
            #expect(unknown.status == 1 && unknown.error == "Error: \(account): there is no such account\n")
        }
    }
}
