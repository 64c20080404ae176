import Foundation
import InAppPurchase

/// The sums of several days of an environment, which are computed from the same pages of transactions.
package struct ReportDayFolds: Sendable {
    private var folds: [ReportDay: ReportDayFold]

    /// - Parameter folds: of different days, with nothing counted.
    package init(_ folds: [ReportDayFold]) { self.folds = Dictionary(folds.map { ($0.day, $0) }) { one, _ in one } }

    /// The folds, in the order of their days.
    package var days: [ReportDayFold] { folds.values.sorted { $0.day < $1.day } }

    /// The rows of the ledger that they are computed from.
    package var scans: [ReportScan] {
        let days = days
        guard let first = days.first, let last = days.last else { return [] }
        return ReportDayFold.scans(of: first.day...last.day, in: first.environment)
    }

    /// The first and the last day; `nil` if there is none.
    package var range: ClosedRange<ReportDay>? {
        guard let first = folds.keys.min(), let last = folds.keys.max() else { return nil }
        return first...last
    }

    /// Counts credits, receipts or downloads.
    package mutating func add(_ activity: DayActivity) { folds[activity.day]?.add(activity) }

    /// Counts the transactions that one of the scans found.
    package mutating func add(_ page: [ReportedTransaction], from scan: ReportScan) {
        for reported in page {
            guard let date = reported.date(of: scan.selection) else { continue }
            folds[ReportDay(of: date)]?.add(reported, from: scan)
        }
    }
}

extension ReportedTransaction {
    /// The date that a scan compares.
    fileprivate func date(of selection: ReportScan.Selection) -> Date? {
        switch selection {
        case .purchased: transaction.purchaseDate
        case .revoked: transaction.revocation?.date
        case .expiring, .running: transaction.expirationDate
        }
    }
}
