import ArgumentParser
import AuditSeal
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import ServerCore
import ServerHTTP

extension LedgerCommand {
    struct Copy: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy an SQLite ledger into an empty PostgreSQL database. No server may be running.",
            discussion: """
                The SQLite file is only read, and nothing else can write to it meanwhile. If the command is \
                interrupted, run it again to continue; until it is done, no server opens the target. At the end every \
                row is compared, the audit trail in the target is verified, and the state computed from the history is \
                checked to be the same in both.

                Example: quartermaster ledger copy --from var/ledger.sqlite --to 'postgresql://db.example.com/quartermaster'
                """)

        @Option(help: "The SQLite file.") var from: String

        @Option(help: "The database URL, or a libpq connection string, preferably without a password: see PGPASSFILE.")
        var to: String

        @OptionGroup var confirmation: Confirmation

        func validate() throws {
            guard !PostgresLedger.isURL(from) else { throw ValidationError("--from: should be a SQLite file.") }
            guard PostgresLedger.isURL(to) else {
                throw ValidationError("--to: should be the URL of a PostgreSQL database.")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let source = try openSource(program.handlers)
            let line = ProgressLine.onTerminal(clock: { Date() })
            defer { line?.clear() }
            // If an error in the trail were found only at the end, it would leave a copy that no server opens.
            _ = try await CommandError.naming(from) { try await source.verifyTrail { line?.show(.verified(rows: $0)) } }
            let target = try openTarget(program.handlers)
            let copy = LedgerCopy(from: source, to: target)
            let rows = try await copyRows(copy, line)
            let (trail, counts) = try await verify(source, target, line)
            line?.clear()
            try await CommandError.naming(LedgerOpener.name(of: to)) { try await copy.finish() }
            confirmation.print(
                """
                \(rows.counted("row")) copied and compared; \((trail.sealed + trail.unsealed).counted("row")) in the \
                audit trail, \(trail.sealed) of them sealed; \(counts.accounts.counted("account")), \
                \(counts.transactions.counted("transaction"))
                """)
            if counts.differences > 0 {
                let differences = counts.differences.counted("difference")
                print("\(differences) from the history, as in the source: see ledger rebuild --check")
            }
        }

        private func copyRows(_ copy: LedgerCopy, _ line: ProgressLine?) async throws -> Int {
            do { return try await copy.run { line?.show($0) } } catch let refusal as LedgerCopyRefusal {
                throw CommandError("\(LedgerOpener.name(of: to)): \(refusal)")
            } catch let error as LedgerUnavailable {
                throw CommandError("\(from) to \(LedgerOpener.name(of: to)): \(error.detail)")
            }
        }

        private func openSource(_ handlers: [any ProductHandler.Type]) throws -> SQLLedger {
            guard FileManager.default.fileExists(atPath: from) else {
                throw CommandError("\(LedgerOpener.whole(from)): there is no ledger")
            }
            do {
                guard try !SQLiteFile(from).isOpenElsewhere() else {
                    throw CommandError("\(from): another program has it open; stop the server first")
                }
                return try SQLiteLedger.openHeld(path: from, handlers: handlers)
            } catch let error as LedgerUnavailable {
                throw CommandError("\(from): the ledger cannot be opened: \(error.detail)")
            }
        }

        private func openTarget(_ handlers: [any ProductHandler.Type]) throws -> SQLLedger {
            do {
                return try PostgresLedger.open(url: to, handlers: handlers, mayBeHalf: true, limits: .copying)
            } catch let error as LedgerUnavailable {
                throw CommandError("\(LedgerOpener.name(of: to)): the ledger cannot be opened: \(error.detail)")
            }
        }

        /// Verifies the audit trail of the copy, and checks the derived rows of both ledgers against their histories.
        private func verify(
            _ source: SQLLedger, _ target: SQLLedger, _ line: ProgressLine?
        ) async throws -> (TrailSummary, LedgerCounts) {
            let (name, date) = (LedgerOpener.name(of: to), Date())
            line?.begin("verifying the audit trail of the copy")
            let trail = try await CommandError.naming(name) {
                try await target.verifyTrail { line?.show(.verified(rows: $0)) }
            }
            async let here = CommandError.naming(from) {
                // Progress is shown for the source only; the copy is checked at the same time and takes longer, but
                // seldom much.
                try await source.checkAccounts(at: date, progress: { line?.show(.checked(accounts: $0, of: $1)) }) {
                    _ in
                }
            }
            async let there = CommandError.naming(name) { try await target.checkAccounts(at: date) { _ in } }
            let (kept, copied) = try await (here, there)
            guard kept == copied else {
                throw CommandError("\(name): its history does not add up to the same as the source's")
            }
            return (trail, copied)
        }
    }
}
