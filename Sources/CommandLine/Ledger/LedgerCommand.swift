import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Rebuild, compact, copy, migrate, back up and restore the ledger.",
        subcommands: [Rebuild.self, Compact.self, Copy.self, Migrate.self, Backup.self, Restore.self])

    struct Rebuild: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rebuild every balance from its postings; with --check, only compare.",
            discussion: """
                With --check, stored balances, credits, spends, deliveries, owners and receipts are compared with what \
                the history adds up to. Each difference is printed on one line of standard error, and the exit status \
                is then 1; nothing is written. What --periods and --owners would repair is named, too; it is no \
                difference. You can run this while a server is serving.

                Without --check, balances that are not the sum of their postings are corrected in one transaction, \
                each with a row in the audit trail.

                With --periods, paid periods of subscriptions that an earlier version recorded under several IDs as \
                several purchases count once from then on, and the credits that they earned too often are taken back, \
                as postings of the kind "correction"; with --check, they are only listed. It can be stopped, and run \
                again.

                With --owners, subscriptions that an earlier version left with a former owner, though another \
                account paid for their newest period, go to that account, with the credits of periods that no app was \
                told of; with --check, they are only listed, and their number is stored for quartermaster status.

                Example: quartermaster ledger rebuild --check --database var/ledger.sqlite
                """)

        @OptionGroup var options: SettingOptions

        @Flag(help: "Only compare; write nothing.") var check = false

        @Flag(help: "Count each paid period once, and take back credits that were given twice.") var periods = false

        @Flag(help: "Give subscriptions that another account paid for to that account.") var owners = false

        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON, one object per line.") var json = false

        func run(_ program: any ServerProgram) async throws {
            try await options.withLedger(program.handlers) { ledger, settings in
                if periods {
                    try await countPeriodsOnce(ledger)
                } else if owners {
                    try await giveToPayers(ledger)
                } else if check {
                    try await compare(ledger, settings.databaseName)
                } else {
                    try await rebuild(ledger)
                }
            }
        }

        private func compare(_ ledger: any LedgerMaintenance, _ path: String) async throws {
            let (json, line) = (json, ProgressLine.onTerminal(clock: { Date() }))
            defer { line?.clear() }
            line?.begin("comparing rows with one another")
            let counts = try await ledger.checkAccounts(
                at: Date(), progress: { line?.show(.checked(accounts: $0, of: $1)) }
            ) {
                difference in
                let text = json ? try difference.json : "\(difference)"
                let output = json ? FileHandle.standardOutput : .standardError
                let write = { try output.write(contentsOf: Data("\(text)\n".utf8)) }
                if let line { try line.interrupt(write) } else { try write() }
            }
            line?.clear()
            if json { print(try counts.json) }
            guard counts.differences == 0 else {
                throw CommandError("\(path): \(counts.differences.counted("difference")) from the history")
            }
            guard !json else { return }
            let doubled = try await ledger.doubledPeriods(limit: .max)
            let tell = { @Sendable (text: String) in
                try FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
            }
            for period in doubled { try tell("\(period)") }
            _ = try await ledger.misplacedPurchases { try tell("\($0)") }
            confirmation.print(
                """
                \(counts.accounts.counted("account")), \(counts.transactions.counted("transaction")), \
                \(counts.postings.counted("posting")), \(counts.spends.counted("spend")), \
                \(counts.receipts.counted("receipt")): no difference
                """)
        }

        private func countPeriodsOnce(_ ledger: any LedgerMaintenance) async throws {
            let json = json
            let tell = { @Sendable (period: DoubledPeriod) in print(json ? try period.json : "\(period)") }
            guard !check else {
                let doubled = try await ledger.doubledPeriods(limit: .max)
                try doubled.forEach(tell)
                return confirmation.print("\(doubled.count.counted("period is", "periods are")) counted twice")
            }
            let count = try await ledger.repairPeriods(at: Date(), tell)
            confirmation.print("\(count.counted("period was", "periods were")) counted twice, and counts once now")
        }

        private func giveToPayers(_ ledger: any LedgerMaintenance) async throws {
            let json = json
            let tell = { @Sendable (purchase: MisplacedPurchase) in print(json ? try purchase.json : "\(purchase)") }
            guard !check else {
                let count = try await ledger.misplacedPurchases(tell)
                try await ledger.setMisplacedPurchaseCount(count)
                let subscriptions = count.counted("subscription is", "subscriptions are")
                return confirmation.print("\(subscriptions) with another account than the one that paid")
            }
            let count = try await ledger.repairOwners(at: Date(), tell)
            let subscriptions = count.counted("subscription was", "subscriptions were")
            confirmation.print("\(subscriptions) with another account than the one that paid")
        }

        private func rebuild(_ ledger: any LedgerMaintenance) async throws {
            let line = ProgressLine.onTerminal(clock: { Date() })
            defer { line?.clear() }
            line?.begin("comparing balances with their postings")
            let count = try await ledger.rebuildBalances(by: .command(user: NSUserName()), at: Date())
            line?.begin("condensing purchase histories")
            let histories = try await ledger.rebuildStandings(at: Date())
            let days = try await ledger.remakeReportDays(at: Date())
            line?.clear()
            guard !json else { return print(try ["balances": count, "accounts": histories, "reportDays": days].json) }
            confirmation.print(
                """
                \(count.counted("balance")) corrected to the sum of the postings
                the condensed histories of \(histories.counted("account")) were missing or out of date, and are stored now
                the sums of \(days.counted("day")) are counted anew by the next server that serves
                """)
        }
    }
}
