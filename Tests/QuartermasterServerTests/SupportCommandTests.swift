import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Testing

@testable import QuartermasterServer

/// `support`, as an operator runs it.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct SupportCommandTests {
    typealias Shell = AdminCommandTests.Shell

    private func rows(_ shell: Shell) async throws -> [AuditRow] {
        let ledger = try SQLiteLedger.open(path: shell.database.path, handlers: Server.standardHandlers)
        defer { try? ledger.close() }
        return try await ledger.newestAuditRows(of: nil, before: nil, limit: 1_000)
    }

    /// The act, without the reason; its audit row; a line of what it prints.
    private static let acts: [(arguments: [String], kind: AuditEntry.Kind, line: String)] = [
        (["transfer", "2", "--to", "PLAYER"], .originalTransactionTransferred, "basis: administrator"),
        (
            ["credit", "PLAYER", "--currency", "hints", "--amount", "-5", "--key", "k"], .creditsAdjusted,
            "balance: 15"
        ),
        (["tester", "PLAYER"], .testerAdded, "testerSince: "),
        (["tester", "PLAYER", "--remove"], .testerRemoved, "account: PLAYER"),
        (["beta", "PLAYER"], .betaAdded, "betaSince: "),
        (["beta", "PLAYER", "--remove"], .betaRemoved, "account: PLAYER"),
        (["block", "PLAYER"], .accountBlocked, "blockedAt: "),
        (["unblock", "PLAYER"], .accountUnblocked, "account: PLAYER"),
        (["sessions-revoke", "PLAYER"], .sessionsRevoked, "revoked: 1"),
    ]

    /// With --dry-run nothing is recorded; then it is done, with the reason and who ran it; the second time nothing
    /// happens.
    @Test func everyActIsDoneOnceWithAReason() async throws {
        try await AdminCommandTests.inFolder { shell in
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
            let reset = try await shell.run("support", "sandbox-reset", player.text, "--reason", "r")
            #expect(reset.status == 0 && reset.output.contains("forgotten: 0"), "\(reset)")
        }
    }

    @Test func mistakes() async throws {
        try await AdminCommandTests.inFolder { shell in
            let (player, nobody) = (AccountID(UUID()), UUID().uuidString.lowercased())
            try await shell.makeLedger(player)
            let before = try await rows(shell)
            for arguments in [
                ["block", player.text], ["block", "x", "--reason", "r"], ["block", "--reason", "r"],
                ["credit", player.text, "--currency", "hints", "--reason", "r"],
                ["transfer", "2", "--reason", "r"], ["extend", "2", "--days", "91", "--reason", "r"],
            ] {
                let outcome = try await shell.run(["support"] + arguments)
                #expect(outcome.status == 64 && outcome.output == "", "\(arguments): \(outcome)")
            }
            let refused: [([String], String)] = [
                (["block", nobody], "No such account"), (["transfer", "7", "--to", player.text], "No such original"),
                (["credit", player.text, "--currency", "hintz", "--amount", "5"], "Unknown currency"),
                (["credit", player.text, "--currency", "hints", "--amount", "0"], "An adjustment needs"),
                (["sandbox-reset", player.text, "--app", "x"], "Unknown app"),
                (["extend", "7", "--days", "7"], "No such original"),
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
