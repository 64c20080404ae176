package import Foundation
import InAppPurchase

extension Ledger {
    /// Folds the transactions of a report, a page at a time, each in a transaction of its own: no write waits, and what
    /// is recorded meanwhile may be counted or not.
    package func report(_ query: ReportQuery, at date: Date) async throws -> Report {
        var report = Report(query, at: date.wholeMilliseconds)
        for scan in query.scans(at: date.wholeMilliseconds) {
            var position: ReportPage.Position?
            repeat {
                try Task.checkCancellation()
                let page = try await reportPage(scan, after: position, limit: ReportPage.size)
                for reported in page.transactions { report.add(reported, from: scan) }
                position = page.next
            } while position != nil
        }
        return report
    }
}
