package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func storedReportDays(of query: ReportQuery, at date: Date) async throws -> [StoredReportDay] {
        try await read { rows in
            try query.countedDays(at: date).flatMap { days in
                try rows.storedReportDays(days, of: query.environment, app: query.app, by: query.grouping)
            }
        }
    }

    package func dueReportDays(at date: Date) async throws -> [DueReportDays] {
        guard try await read({ try $0.hasReportWork(at: date) }) else { return [] }
        try await write { try $0.addReportDays(at: date) }
        while try await write({ try $0.countReportChanges(at: date) }) == LedgerRows.reportChangesAtOnce {}
        return try await write { try $0.leaseDueReportDays(at: date) }
    }

    package func store(_ folds: [ReportDayFold], of due: DueReportDays, at date: Date) async throws {
        guard !folds.isEmpty else { return }
        try await write { rows in
            for fold in folds {
                guard let known = due.changes[fold.day] else { continue }
                try rows.write(fold, after: known, isFinal: due.final.contains(fold.day))
            }
        }
    }

    package func storedActivityDays(
        _ days: ClosedRange<ReportDay>, in environment: Environment
    ) async throws -> [StoredReportDay] {
        try await read { rows in
            try rows.storedReportDays(days.lowerBound..<days.upperBound.adding(1), of: environment, app: nil, by: .day)
        }
    }

    package func activity(
        on days: ClosedRange<ReportDay>, in environment: Environment, limit: Int?
    ) async throws -> ActivityPage {
        try await read { try $0.activity(on: days, in: environment, limit: limit) }
    }

    package func remakeReportDays(at date: Date) async throws -> Int {
        try await write { rows in
            try rows.run("UPDATE reportDays SET changes = changes + 1, dueAt = ?", [date.milliseconds])
        }
    }
}

extension ReportQuery {
    /// The days that its scans read.
    fileprivate func countedDays(at date: Date) -> [Range<ReportDay>] {
        let days = ReportDay(of: from)..<ReportDay(of: to).adding(1)
        guard kind == .subscriptions else { return [days] }
        let present = ReportDay(of: min(to, date))
        let running = present..<present.adding(ReportScan.maximumPeriodInDays + 1)
        guard days.overlaps(running) else { return [days, running] }
        return [min(days.lowerBound, running.lowerBound)..<max(days.upperBound, running.upperBound)]
    }
}
