package import Foundation
import InAppPurchase

extension ReportLedger {
    /// Makes a report: from stored sums for days whose sums hold; for the other days it folds the transactions, page by
    /// page, each in a database transaction of its own. No write waits, and what is recorded meanwhile may be counted
    /// or not.
    package func report(
        _ query: ReportQuery, at date: Date, _ freshness: ReportFreshness = .now
    ) async throws -> Report {
        let date = date.wholeMilliseconds
        let plan = ReportPlan(query, try await storedReportDays(of: query, at: date), at: date, freshness)
        var report = Report(query, at: date)
        report.asOf = plan.asOf
        for part in plan.parts {
            for (app, sums) in part.day.sums { report.add(sums, of: app, part.section, on: part.day.day) }
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

    /// Makes the report from all transactions, without stored sums: it is what those are compared with.
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
    /// - Returns: whether these were all pages, and not only the first ones.
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
