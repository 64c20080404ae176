package import Foundation
import InAppPurchase

extension Ledger {
    /// Makes a report: of days whose sums are stored and hold, of those; of the others it folds the transactions, a page
    /// at a time, each in a transaction of its own: no write waits, and what is recorded meanwhile may be counted or
    /// not.
    package func report(
        _ query: ReportQuery, at date: Date, _ freshness: ReportFreshness = .now
    ) async throws -> Report {
        let date = date.wholeMilliseconds
        let plan = ReportPlan(query, try await storedReportDays(of: query, at: date), at: date, freshness)
        var report = Report(query, at: date)
        report.asOf = plan.asOf
        for taken in plan.taken {
            for sums in taken.day.sums.values { report.add(sums, taken.section, of: taken.day.day) }
        }
        for scan in plan.scans {
            let limit = freshness == .now ? ReportPage.size : ReportFreshness.pageSize
            let isWhole = try await eachPage(of: scan, limit: limit, pages: freshness == .now ? .max : 1) { page in
                for reported in page { report.add(reported, from: scan) }
            }
            if !isWhole { report.isPartial = true }
        }
        return report
    }

    /// Makes the report of all transactions, without what is stored: what stored sums are compared with.
    package func wholeReport(_ query: ReportQuery, at date: Date) async throws -> Report {
        let date = date.wholeMilliseconds
        var report = Report(query, at: date)
        for scan in query.scans(at: date) {
            try await eachPage(of: scan) { for reported in $0 { report.add(reported, from: scan) } }
        }
        return report
    }

    /// Calls `body` with the transactions of a scan, page by page.
    ///
    /// - Returns: whether that were all, and not only the first pages.
    @discardableResult
    func eachPage(
        of scan: ReportScan, limit: Int = ReportPage.size, pages: Int = .max,
        _ body: ([ReportedTransaction]) -> Void
    ) async throws -> Bool {
        var position: ReportPage.Position?
        for _ in 0..<max(1, pages) {
            try Task.checkCancellation()
            let page = try await reportPage(scan, after: position, limit: limit)
            body(page.transactions)
            guard let next = page.next else { return true }
            position = next
        }
        return false
    }
}
