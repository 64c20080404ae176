import ArgumentParser
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension AuditCommand {
    struct List: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "List events of the audit trail, newest first, with who did what and why. Read-only.",
            discussion: """
                You can run this while a server is serving. Each page searches at most \(AuditFilter.maximumLookedAt) \
                rows and says where to continue.

                Kinds: \(AuditQuery.kinds).

                Example: quartermaster audit list --actor admin:alice --since 2026-11-01
                """)

        @OptionGroup var options: SettingOptions
        @Option(help: "Only events of this kind, such as account.blocked.") var kind: String?
        @Option(help: "Only events caused by this administrator or command, such as admin:alice.") var actor: String?
        @Option(help: "Only events about the account with this UUID.") var account: String?
        @Option(help: "Only events at or after this day or RFC 3339 time.") var since: String?
        @Option(help: "Only events before this day or RFC 3339 time.") var until: String?
        @Option(help: "Start before the row with this number, as printed with the previous page.") var before: Int?
        @Option(help: "The maximum number of rows.") var limit = AuditRoutes.defaultRows
        @Flag(help: "Print JSON.") var json = false

        private func filter() throws -> AuditFilter {
            let values = ["kind": kind, "actor": actor, "account": account, "since": since, "until": until]
            return try AuditQuery.filter { values[$0] ?? nil }
        }

        func validate() throws {
            let bounds = 1...AuditRoutes.maximumRows
            guard bounds.contains(limit) else { throw ValidationError("--limit: a whole number in \(bounds)") }
            guard before ?? 1 >= 1 else { throw ValidationError("--before: a whole number from 1 on") }
            do { _ = try filter() } catch let error as Problem {
                throw ValidationError("--\(error.detail ?? error.title)")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let page = try await options.withLedger(program.handlers) { ledger, _ in
                try await ledger.newestAuditRows(matching: try filter(), before: before, limit: limit)
            }
            let body = AuditListBody(page, limit: limit)
            guard !json else { return print(try body.json) }
            let output = TextOutput.standard()
            output.print(try body.table(for: output), remarks: body.remarks)
        }
    }
}
