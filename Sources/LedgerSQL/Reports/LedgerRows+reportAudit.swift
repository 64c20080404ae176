import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// Compares the stored sums of days with their transactions; not those of days that have changed since, which no
    /// report takes for current.
    func findWrongReportDays(_ tell: (LedgerDifference) throws -> Void) throws {
        do {
            for environment in Environment.known { try findWrongReportDays(of: environment, tell) }
        } catch let error as DecodingError {
            try tell(LedgerDifference("sums of days", stored: "\(error)", folded: "readable"))
        }
    }

    private func findWrongReportDays(of environment: Environment, _ tell: (LedgerDifference) throws -> Void) throws {
        let stored = try ReportGrouping.allCases.map { try unchangedReportDays(of: environment, by: $0) }
        var folds = ReportDayFolds(
            stored.first?.values.map { ReportDayFold(of: $0.day, in: environment, at: $0.foldedAt) } ?? [])
        for scan in folds.scans {
            try eachReportPage(of: scan) { folds.add($0, from: scan) }
        }
        if let range = folds.range {
            for activity in try activity(on: range, in: environment, limit: nil).entries { folds.add(activity) }
        }
        for fold in folds.days {
            for (grouping, days) in zip(ReportGrouping.allCases, stored) {
                try compare(days[fold.day], with: fold, by: grouping, tell)
            }
        }
    }

    private func unchangedReportDays(
        of environment: Environment, by grouping: ReportGrouping
    ) throws -> [ReportDay: StoredReportDay] {
        let all = ReportDay(.min)..<ReportDay(.max)
        let days = try storedReportDays(all, of: environment, app: nil, by: grouping).filter(\.isUnchanged)
        return Dictionary(days.map { ($0.day, $0) }) { one, _ in one }
    }

    private func eachReportPage(of scan: ReportScan, _ body: ([ReportedTransaction]) -> Void) throws {
        var position: ReportPage.Position?
        repeat {
            let page = try reportPage(scan, after: position, limit: ReportPage.size)
            body(page.transactions)
            position = page.next
        } while position != nil
    }

    private func compare(
        _ stored: StoredReportDay?, with fold: ReportDayFold, by grouping: ReportGrouping,
        _ tell: (LedgerDifference) throws -> Void
    ) throws {
        // Until the day is final, no page takes its credits, receipts and downloads for complete.
        let isFinal = stored?.isFinal ?? false
        let comparable = { (sums: [BundleID: ReportSums]) in
            sums.mapValues { isFinal ? $0 : $0.withoutActivity }.filter { !$0.value.sections.isEmpty }
        }
        let (stored, folded) = (comparable(stored?.sums ?? [:]), comparable(fold.sums(by: grouping)))
        for app in Set(stored.keys).union(folded.keys).sorted() where stored[app] != folded[app] {
            let texts = try (stored: stored[app].map(JSON.encode), folded: folded[app].map(JSON.encode))
            try tell(
                LedgerDifference(
                    scope: Scope(app: app, environment: fold.environment), "sums of \(fold.day.name) by \(grouping)",
                    stored: texts.stored ?? "none", folded: texts.folded ?? "none"))
        }
    }
}

extension ReportSums {
    fileprivate var withoutActivity: ReportSums {
        var rest = self
        rest.sections[.activity] = nil
        return rest
    }
}
