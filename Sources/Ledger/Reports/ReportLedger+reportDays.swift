package import Foundation
import InAppPurchase

extension ReportLedger {
    /// Computes the sums of days that are due, until there are none or a run has counted enough. Idempotent; may be
    /// killed at any time, and several servers share the work.
    ///
    /// - Returns: the days whose sums were computed.
    @discardableResult package func foldReportDays(at date: Date) async throws -> ReportDayWork {
        var work = ReportDayWork()
        while work.transactions < ReportDay.transactionsOfARun, work.days < ReportDay.daysOfARun {
            let due = try await dueReportDays(at: date)
            guard !due.isEmpty else { break }
            for run in due {
                let folds = try await folds(of: run, at: date)
                try await store(folds, of: run, at: date)
                work.add(folds)
            }
        }
        return work
    }

    private func folds(of due: DueReportDays, at date: Date) async throws -> [ReportDayFold] {
        var folds = ReportDayFolds(due.changes.keys.map { ReportDayFold(of: $0, in: due.environment, at: date) })
        for scan in folds.scans {
            try await eachPage(of: scan) { folds.add($0, from: scan) }
        }
        if let range = folds.range {
            let activity = try await activity(on: range, in: due.environment, limit: nil)
            for entry in activity.entries { folds.add(entry) }
        }
        return folds.days
    }
}

extension ReportDay {
    /// Half a second of work, after which the service pauses.
    package static let transactionsOfARun = 20_000
    /// A first run makes some hundred days, nearly all of them empty.
    static let daysOfARun = 5_000
}

/// The days that a run summed.
package struct ReportDayWork: Equatable, Sendable {
    package private(set) var days = 0
    /// The number of transactions that were counted, once for each of their dates.
    package private(set) var transactions = 0

    mutating func add(_ folds: [ReportDayFold]) {
        days += folds.count
        transactions = folds.reduce(transactions) { $0.saturatingAdding($1.count) }
    }
}
