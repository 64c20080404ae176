import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import LedgerSQL
import LedgerSQLite
import ServerCore
import ServerHTTP

extension LedgerCommand {
    struct Migrate: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Migrate the ledger to this version, or with --dry-run only try it.",
            discussion: """
                Prints from which version of the tables to which, and by which migrations. The start of a server \
                migrates in the same way, and there is no way back.

                With --dry-run, the migrations are run on a copy of an SQLite file beside it, which is checked, page \
                by page and with its audit trail, and removed afterwards: it needs as much free disk space as the \
                ledger, and a server may be serving. On PostgreSQL they are run in a transaction that is rolled back: \
                writes of servers wait until then, or are answered with 503, so try it on a restored dump.

                Example: quartermaster ledger migrate --dry-run --database var/ledger.sqlite
                """)

        @OptionGroup var options: SettingOptions
        @Flag(help: "Only try it; change nothing.") var dryRun = false
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false

        func run(_ program: any ServerProgram) async throws {
            let settings = try await options.settings()
            let migrations = try LedgerOpener.migrations(of: settings.database)
            let began = ContinuousClock.now
            if !migrations.pending.isEmpty {
                let line = ProgressLine.onTerminal(clock: { Date() })
                defer { line?.clear() }
                line?.begin("migrating")
                if dryRun {
                    try await settings.rehearseMigrations(program.handlers, line)
                } else {
                    _ = try LedgerOpener.openExisting(settings.database, handlers: program.handlers)
                }
            }
            let outcome = Outcome(migrations, isDryRun: dryRun, seconds: (.now - began) / .seconds(1))
            guard !json else { return print(try outcome.json) }
            let text = "\(settings.databaseName): \(outcome.text)"
            // With --dry-run it is the requested output, and printed with --quiet too.
            if dryRun { print(text) } else { confirmation.print(text) }
        }
    }
}

private struct Outcome: Encodable {
    var from: Int
    var to: Int
    var migrations: [Int]
    var dryRun: Bool
    /// How long all of it took.
    var seconds: Double

    init(_ migrations: LedgerMigrations, isDryRun: Bool, seconds: Double) {
        from = migrations.done
        to = migrations.newest
        self.migrations = migrations.pending
        dryRun = isDryRun
        self.seconds = (seconds * 1_000).rounded() / 1_000
    }

    var text: String {
        guard !migrations.isEmpty else { return "version \(to), nothing to migrate" }
        let numbers = migrations.map(String.init).joined(separator: ", ")
        return "\(dryRun ? "can be migrated" : "migrated") from version \(from) to \(to) in \(seconds) s: \(numbers)"
    }
}

extension Settings {
    /// Runs the missing migrations where nothing of them is left.
    ///
    /// - Throws: ``/ServerCore/CommandError`` that names the ledger.
    fileprivate func rehearseMigrations(_ handlers: [any ProductHandler.Type], _ line: ProgressLine?) async throws {
        guard !PostgresLedger.isURL(database) else {
            do {
                return try PostgresLedger.rehearseMigrations(url: database, handlers: handlers) {
                    line?.begin("running migration \($0.number)")
                }
            } catch let error as LedgerUnavailable {
                throw CommandError("\(databaseName): the ledger cannot be migrated: \(error.detail)")
            }
        }
        let ledger = try LedgerFile(self)
        try await ledger.file.withCheckedCopy(beside: ledger.path, isReadOnly: false, line) { copy, _ in
            line?.begin("migrating the copy")
            try SQLiteFile(copy).migrate(handlers: handlers)
            line?.begin("checking every page of the copy")
            _ = try await SQLiteFile(copy).check().verifyTrail { line?.show(.verified(rows: $0)) }
        }
    }
}
