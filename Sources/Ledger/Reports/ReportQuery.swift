package import Foundation
package import InAppPurchase

/// The subject, the time and the rows of a report.
package struct ReportQuery: Hashable, Sendable {
    /// A year, and some weeks to compare it with; a longer time is several reports.
    package static let maximumDays = 400
    /// The days of a report for which nobody named any, today included.
    package static let usualDays = 30

    package var kind: ReportKind
    package var grouping: ReportGrouping
    /// The first instant.
    package var from: Date
    /// The instant after the last one.
    package var to: Date
    package var environment: Environment
    /// The only app that counts; `nil` for all.
    package var app: BundleID?
    /// The apps that are served: what was bought in others is counted apart. `nil` if all apps are.
    package var served: Set<BundleID>?

    /// - Parameter catalog: the one with the served apps; `nil` for all apps.
    /// - Returns: `nil` if the time is empty, or longer than ``maximumDays``.
    package init?(
        _ kind: ReportKind, by grouping: ReportGrouping, from: Date, to: Date, environment: Environment = .production,
        app: BundleID? = nil, servedBy catalog: Catalog? = nil
    ) {
        guard from < to, to.timeIntervalSince(from) <= Double(Self.maximumDays) * 86_400 else { return nil }
        self.kind = kind
        self.grouping = grouping
        self.from = from
        self.to = to
        self.environment = environment
        self.app = app
        served = catalog.map { Set($0.apps.map(\.bundleID)) }
    }

    /// The rows of the ledger that the report counts.
    ///
    /// - Parameter date: the current date, after which nothing is known to run.
    package func scans(at date: Date) -> [ReportScan] {
        let scans = selections.flatMap { selection in
            [true, false].map {
                ReportScan(selection: selection, isClaimed: $0, environment: environment, app: app, from: from, to: to)
            }
        }
        return scans.map { scan in
            guard scan.selection == .running else { return scan }
            var scan = scan
            scan.from = min(to, date) + 0.001
            scan.to = scan.from + ReportScan.maximumPeriod
            return scan
        }
    }

    private var selections: [ReportScan.Selection] {
        switch kind {
        case .purchases: [.purchased]
        case .subscriptions: [.purchased, .expiring, .revoked, .running]
        case .refunds: [.revoked]
        }
    }
}
