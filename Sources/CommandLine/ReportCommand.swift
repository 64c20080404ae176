import ArgumentParser
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

struct ReportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print statistics of purchases, subscriptions, refunds or placements. Read-only.",
        discussion: """
            The numbers are sums of what the App Store reported about the transactions in the ledger: without --from \
            and --to, of the last \(ReportQuery.usualDays) days. No currency is converted; csv and jsonl have amounts \
            in thousandths. What was bought in apps that the catalog does not have is below the total of the table, \
            and nowhere else. You can run this while a server is serving.

            placements compares the groups into which the placements of an app divide accounts; it has no --by.

            Example: quartermaster report purchases
            Example: quartermaster report refunds --from 2026-11-01 --to 2026-12-01 --by product
            Example: quartermaster report placements --app com.example.hangman --from 2026-11-01
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case table, csv, jsonl }

    enum Subject: String, CaseIterable, ExpressibleByArgument {
        case purchases, subscriptions, refunds, placements

        /// The kind of report; `nil` for one of its own.
        var kind: ReportKind? { ReportKind(rawValue: rawValue) }
    }

    @OptionGroup var options: SettingOptions
    @Argument(help: "purchases, subscriptions, refunds or placements.") var subject: Subject
    @Option(
        help: "The first day (UTC), such as 2026-11-01, or an RFC 3339 time (default: 30 days before --to).",
        transform: Self.time)
    var from: Date?
    @Option(
        help: "The day (UTC) or RFC 3339 time at which to stop; it is not included (default: tomorrow).",
        transform: Self.time)
    var to: Date?
    @Option(help: "What to group rows by: day, product, storefront or version (default: day).") var by: ReportGrouping?
    @Option(help: "Only this app (bundle ID); placements without it is about the only app.") var app: BundleID?
    @Option(help: "Production, Sandbox or Xcode.", transform: Self.environment) var environment = Environment.production
    @Option(help: "table, csv or jsonl.") var format = Format.table

    private static func time(_ text: String) throws -> Date {
        guard let date = ReportTime.date(text) else { throw ValidationError(ReportTime.form) }
        return date
    }

    private static func environment(_ text: String) throws -> Environment {
        guard let environment = Environment(known: text) else { throw ValidationError("Production, Sandbox or Xcode") }
        return environment
    }

    private func query(at date: Date, _ catalog: Catalog? = nil) throws -> ReportQuery {
        let to = to ?? ReportDay(of: date).end
        let from = from ?? to - Double(ReportQuery.usualDays) * 86_400
        let query = ReportQuery(
            subject.kind ?? .purchases, by: by ?? .day, from: from, to: to, environment: environment, app: app,
            servedBy: catalog)
        guard let query else { throw ValidationError(ReportQuery.bounds) }
        return query
    }

    func validate() throws {
        _ = try query(at: Date())
        if subject.kind == nil, by != nil { throw ValidationError("--by is not for placements") }
    }

    func run(_ program: any ServerProgram) async throws {
        let date = Date()
        guard let kind = subject.kind else { return try await printPlacements(at: date, program) }
        let catalog = options.server == nil ? try await options.catalog(program.handlers).catalog : nil
        let query = try query(at: date, catalog)
        let question = RemoteQuestion.get(
            "reports", kind.rawValue,
            query: [
                "from": query.from.rfc3339, "to": query.to.rfc3339, "by": (by ?? .day).rawValue, "app": app?.text,
                "environment": environment.rawValue,
            ])
        let body = try await options.body(of: question, or: program.handlers) { ledger, _ in
            ReportBody(try await ledger.report(query, at: date))
        }
        let text =
            switch format {
            case .table: body.table
            case .csv: body.csv
            case .jsonl: try body.jsonLines()
            }
        if !text.isEmpty { print(text) }
    }

    private func printPlacements(at date: Date, _ program: any ServerProgram) async throws {
        let catalog = try await options.catalog(program.handlers).catalog
        guard let id = app ?? (catalog.apps.count == 1 ? catalog.apps.first?.bundleID : nil) else {
            throw CommandError("name an app with --app")
        }
        guard let app = catalog.app(id) else { throw CommandError("there is no app \(id) in the catalog") }
        var query = try query(at: date, catalog)
        query.app = id
        let body = try await options.withLedger(program.handlers) { [query] ledger, _ in
            let dates = try await PlacementDates(ledger).since(in: id)
            return PlacementReportBody(try await PlacementReport(query, of: app, since: dates, in: ledger, at: date))
        }
        let text =
            switch format {
            case .table: body.rows.isEmpty ? "No placement of \(id) divides accounts." : body.table
            case .csv: body.csv
            case .jsonl: try body.jsonLines()
            }
        if !text.isEmpty { print(text) }
        if let warning = body.warning {
            try FileHandle.standardError.write(contentsOf: Data("warning: \(warning)\n".utf8))
        }
    }
}

extension ReportGrouping: ExpressibleByArgument {}
