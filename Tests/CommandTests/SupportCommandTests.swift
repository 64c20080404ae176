import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `support`, as an operator runs it.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct SupportCommandTests {
    typealias Shell = AdminCommandTests.Shell

    private func rows(_ shell: Shell) async throws -> [AuditRow] {
        let ledger = try SQLiteLedger.open(path: shell.database.path, handlers: Server.standardHandlers)
        defer { try? ledger.close() }
        return try await ledger.newestAuditRows(of: nil, before: nil, limit: 1_000)
    }

    /// Each act is a command, by the program's own list: a new one must be.
    @Test func `Every support command has a reason and a dry run`() async throws {
        try await AdminCommandTests.inFolder { shell in
            let list = try await shell.run(["support", "--help"]).output
            let names = list.matches(of: #/(?m)^  ([a-z][a-z-]+) +[A-Z]/#).map { String($0.output.1) }
            #expect(names.count >= 13 && names.contains("undo-transfer"), "\(list)")
            for act in names.map({ ["support", $0] }) + [["receipts", "retry"], ["notifications", "test"]] {
                let help = try await shell.run(act + ["--help"]).output
                #expect(help.contains("--reason <reason>") && help.contains("--dry-run"), "\(act): \(help)")
            }
        }
    }

    /// Runs in a folder whose catalog also has a product that can be given.
    private func inShop(_ body: (Shell) async throws -> Void) async throws {
        try await AdminCommandTests.inFolder { shell in
            let words = #"{"id": "\#(World.app).hardwords", "type": "non-consumable"}"#
            try SampleCatalog.text("\(SampleCatalog.hints), \(words)")
                .write(to: shell.folder.appending(path: "products.json"), atomically: true, encoding: .utf8)
            try await body(shell)
        }
    }

    /// The act without the reason, its audit row, and a line of what it prints.
    private static let acts: [(arguments: [String], kind: AuditEntry.Kind, line: String)] = [
        (["transfer", "2", "--to", "PLAYER"], .originalTransactionTransferred, "basis: administrator"),
        (
            ["credit", "PLAYER", "--currency", "hints", "--amount", "-5", "--key", "k"], .creditsAdjusted,
            "balance: 15"
        ),
        (
            [
                "grant", "PLAYER", "--product", "\(World.app).hardwords", "--until", "2099-01-01T00:00:00Z", "--key",
                "k",
            ], .entitlementGranted, "grant: g_"
        ),
        (["tester", "PLAYER"], .testerAdded, "testerSince: "),
        (["tester", "PLAYER", "--remove"], .testerRemoved, "account: PLAYER"),
        (["beta", "PLAYER"], .betaAdded, "betaSince: "),
        (["beta", "PLAYER", "--remove"], .betaRemoved, "account: PLAYER"),
        (["external-id", "PLAYER", "--id", "4711"], .externalIDChanged, "externalID: 4711"),
        (["external-id", "PLAYER"], .externalIDChanged, "account: PLAYER"),
        (["block", "PLAYER"], .accountBlocked, "blockedAt: "),
        (["unblock", "PLAYER"], .accountUnblocked, "account: PLAYER"),
        (["sessions-revoke", "PLAYER"], .sessionsRevoked, "revoked: 1"),
    ]

    /// With --dry-run nothing is recorded; then it is done, with the reason and who ran it; the second time nothing
    /// happens.
    @Test func `Every support command acts once, with its reason`() async throws {
        try await inShop { shell in
            let player = AccountID(UUID())
            try await shell.makeLedger(player)
            for act in Self.acts {
                let command = ["support"] + act.arguments.map { $0.replacing("PLAYER", with: player.text) }
                let before = try await rows(shell)
                let dry = try await shell.run(command + ["--reason", "ticket 7", "--dry-run", "--json"])
                let body = try JSONDecoder().decode(JSONValue.self, from: Data(dry.output.utf8))
                #expect(dry.status == 0 && body["dryRun"] == true && body["before"] != body["after"], "\(dry)")
                #expect(try await rows(shell) == before, "\(act.arguments)")
                let done = try await shell.run(command + ["--reason", "ticket 7"])
                let line = act.line.replacing("PLAYER", with: player.text)
                #expect(
                    done.status == 0 && done.output.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(done)")
                let row = try #require(try await rows(shell).first { $0.kind == act.kind.rawValue })
                #expect(row.actor == "command:\(ProcessInfo.processInfo.userName)")
                #expect(row.content?.contains("ticket 7") == true)
                let after = try await rows(shell)
                #expect(try await shell.run(command + ["--reason", "ticket 7"]).status == 0)
                #expect(try await rows(shell) == after, "\(act.arguments) a second time")
            }
            try await takesBack(shell, player)
            let reset = try await shell.run("support", "sandbox-reset", player.text, "--reason", "r")
            #expect(reset.status == 0 && reset.output.contains("forgotten: 0"), "\(reset)")
        }
    }

    /// By the ID in the report; the second time nothing happens.
    private func takesBack(_ shell: Shell, _ player: AccountID) async throws {
        let shown = try await shell.run("accounts", "show", player.text)
        #expect(shown.output.contains("\ngrants\t") && shown.output.contains("ticket 7"), "\(shown)")
        let id = try #require(shown.output.firstMatch(of: /g_[A-Za-z0-9_-]{22}/)).output
        let command = ["support", "revoke-grant", player.text, String(id), "--reason", "ticket 8"]
        let done = try await shell.run(command)
        #expect(done.status == 0 && done.output.contains("revokedAt: "), "\(done)")
        let after = try await rows(shell)
        #expect(after.first?.kind == AuditEntry.Kind.entitlementRevoked.rawValue)
        #expect(try await shell.run(command).status == 0)
        #expect(try await rows(shell) == after)
    }

    /// A receipt that waits is due at once; the second time, and for one that does not wait, nothing is recorded.
    @Test func `The support command has a waiting receipt asked about at once`() async throws {
        try await inShop { shell in
            let player = AccountID(UUID())
            try await shell.makeLedger(player)
            let ledger = try SQLiteLedger.open(path: shell.database.path, handlers: Server.standardHandlers)
            let receipt = Receipt(id: "r_x", account: player, kind: .appReceipt, content: "x", digest: Data([1]))
            let later = Date().addingTimeInterval(86_400)
            _ = try await ledger.enqueue(
                receipt, isVerified: false, retryAt: later, within: ReceiptByteBudgets(), at: World.start)
            try ledger.close()
            let before = try await rows(shell)
            let dry = try await shell.run("receipts", "retry", "r_x", "--reason", "ticket 7", "--dry-run")
            #expect(dry.status == 0 && dry.output.contains("before: ") && dry.output.contains("after: "), "\(dry)")
            #expect(try await rows(shell) == before)
            let listed = try await shell.run("receipts", "list", "--status", "pending").output
            let done = try await shell.run("receipts", "retry", "r_x", "--reason", "ticket 7")
            #expect(done.status == 0 && done.output.contains("receipt: r_x"), "\(done)")
            #expect(try await shell.run("receipts", "list", "--status", "pending").output != listed)
            let row = try #require(try await rows(shell).first)
            #expect(row.kind == AuditEntry.Kind.receiptRetried.rawValue && row.subject == "r_x")
            #expect(row.actor == "command:\(ProcessInfo.processInfo.userName)")
            let unknown = try await shell.run("receipts", "retry", "r_y", "--reason", "ticket 7")
            #expect(unknown.status == 1 && unknown.output == "" && unknown.error.hasPrefix("Error: "), "\(unknown)")
        }
    }

    /// A second run with the same key gives nobody anything twice.
    @Test func `A product is given to each account in a file`() async throws {
        try await inShop { shell in
            let player = AccountID(UUID())
            try await shell.makeLedger(player)
            let list = shell.folder.appending(path: "list.csv")
            try "\(player.text),Anna\nnobody,Ben\n".write(to: list, atomically: true, encoding: .utf8)
            let arguments = [
                "support", "give", "--accounts", list.path, "--product", "\(World.app).hardwords", "--key", "k",
                "--reason", "partner 7", "--json",
            ]
            for (more, given, had) in [(["--dry-run"], 1, []), ([], 1, []), ([], 0, [1])] as [([String], Int, [Int])] {
                let outcome = try await shell.run(arguments + more)
                let answer = try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))
                #expect(outcome.status == 0 && answer["given"] == .integer(given), "\(outcome)")
                #expect(answer["unknown"] == [2] && answer["alreadyHad"] == .array(had.map { .integer($0) }))
            }
        }
    }

    @Test func `Mistakes of support commands end with one line and their exit status`() async throws {
        try await inShop { shell in
            let (player, nobody) = (AccountID(UUID()), UUID().uuidString.lowercased())
            try await shell.makeLedger(player)
            let before = try await rows(shell)
            for arguments in [
                ["block", player.text], ["block", "x", "--reason", "r"], ["block", "--reason", "r"],
                ["credit", player.text, "--currency", "hints", "--reason", "r"],
                ["transfer", "2", "--reason", "r"], ["extend", "2", "--days", "91", "--reason", "r"],
                ["grant", player.text, "--reason", "r"],
                ["grant", player.text, "--product", "x", "--until", "tomorrow", "--reason", "r"],
                ["revoke-grant", player.text, "--reason", "r"],
                ["give", "--accounts", "a", "--key", "k", "--reason", "r"],
                ["give", "--accounts", "a", "--product", "x", "--amount", "5", "--key", "k", "--reason", "r"],
                ["give", "--accounts", "a", "--product", "x", "--reason", "r"],
            ] {
                let outcome = try await shell.run(["support"] + arguments)
                #expect(outcome.status == 64 && outcome.output == "", "\(arguments): \(outcome)")
            }
            let numbered = try await shell.run("support", "block", "123", "--reason", "r")
            #expect(numbered.error.contains("an account's ID is a UUID of 36 characters, such as "), "\(numbered)")
            let refused: [([String], String)] = [
                (["block", nobody], "No such account"), (["transfer", "7", "--to", player.text], "No such original"),
                (["credit", player.text, "--currency", "hintz", "--amount", "5"], "Unknown currency"),
                (["credit", player.text, "--currency", "hints", "--amount", "0"], "An adjustment needs"),
                (["sandbox-reset", player.text, "--app", "x"], "Unknown app x; the catalog has"),
                (["extend", "7", "--days", "7"], "No such original"),
                (["grant", player.text, "--product", "x"], "Unknown product x; \(World.app) has"),
                (
                    [
                        "grant", player.text, "--product", "\(World.app).hardwords", "--until",
                        "2001-01-01T00:00:00Z",
                    ], "The end is in the past"
                ),
                (["revoke-grant", player.text, "g_x"], "The account has no such grant"),
                (["give", "--accounts", "/none.csv", "--product", "x", "--key", "k"], "/none.csv: "),
                (
                    [
                        "give", "--accounts", shell.folder.appending(path: "products.json").path, "--product", "x",
                        "--key", "k",
                    ], "Unknown product x"
                ),
            ]
            for (arguments, message) in refused {
                let outcome = try await shell.run(["support"] + arguments + ["--reason", "r"])
                #expect(
                    outcome.status == 1 && outcome.output == "" && outcome.error.hasPrefix("Error: \(message)"),
                    "\(arguments): \(outcome)")
            }
            let wrong = try await shell.run("support", "block", player.text, "--reason", " ")
            #expect(wrong.status == 1 && wrong.error.hasPrefix("Error: A reason is required"), "\(wrong)")
            #expect(try await rows(shell) == before)
        }
    }
}
