package import Foundation
package import InAppPurchase

/// Credits, receipts and downloads by day: as stored for days that are final or have very many, otherwise counted anew.
package struct ActivityReport: Sendable {
    /// The maximum number of rows of credits, receipts or downloads that are counted for days whose sums are not
    /// stored.
    package static let limit = 20_000

    /// The numbers of each day, by its name.
    package internal(set) var rows: [String: ReportTally] = [:]
    package internal(set) var total = ReportTally()
    /// See ``Report/asOf``.
    package internal(set) var asOf: Date?
    /// See ``Report/isPartial``.
    package internal(set) var isPartial = false

    mutating func add(_ tally: ReportTally, on day: ReportDay) {
        total.add(tally)
        rows[day.name, default: ReportTally()].add(tally)
    }
}

extension ReportLedger {
    /// Makes the report of some days.
    ///
    /// - Parameter app: the only one whose credits count; `nil` for all. Receipts and downloads are those of all apps.
    package func activityReport(
        of days: ClosedRange<ReportDay>, in environment: Environment, app: BundleID?, at date: Date
    ) async throws -> ActivityReport {
        var report = ActivityReport()
        let isAsked: (BundleID) -> Bool = { $0 == DayActivity.ofAllApps || app == nil || $0 == app }
        let stored = try await storedActivityDays(days, in: environment)
        let old = stored.filter { !$0.isFinal && $0.count > ActivityReport.limit }
        report.asOf = old.map(\.foldedAt).min()
        let used = stored.filter { $0.isFinal && $0.isUnchanged } + old
        for day in used {
            for (app, sums) in day.sums where isAsked(app) {
                if let tally = sums.sections[.activity]?[""] { report.add(tally, on: day.day) }
            }
        }
        for rest in days.without(Set(used.map(\.day))) {
            let page = try await activity(on: rest, in: environment, limit: ActivityReport.limit)
            for activity in page.entries where isAsked(activity.app) { report.add(activity.tally, on: activity.day) }
            if !page.isWhole { report.isPartial = true }
        }
        return report
    }
}

extension ClosedRange<ReportDay> {
    /// The runs of days that are not among some.
    fileprivate func without(_ days: Set<ReportDay>) -> [ClosedRange<ReportDay>] {
        var runs: [ClosedRange<ReportDay>] = []
        var day = lowerBound
        while day <= upperBound {
            defer { day = day.adding(1) }
            guard !days.contains(day) else { continue }
            if let last = runs.last, last.upperBound.adding(1) == day {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        return runs
    }
}

/// Credits, receipts and downloads of some days.
package struct ActivityPage: Sendable {
    package var entries: [DayActivity]
    /// Whether no row is missing because of a limit.
    package var isWhole: Bool

    package init(entries: [DayActivity], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }
}
