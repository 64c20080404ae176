import Foundation
import InAppPurchase

/// The plan of a report: the stored sums that it uses, and the transactions that it counts.
struct ReportPlan {
    /// A section of a day whose stored sums are used.
    struct Part {
        var day: StoredReportDay
        var section: ReportSection
    }

    private(set) var parts: [Part] = []
    private(set) var scans: [ReportScan] = []
    /// The time of the oldest sums that are used although something changed; `nil` if there are none.
    private(set) var asOf: Date?

    init(_ query: ReportQuery, _ days: [StoredReportDay], at date: Date, _ freshness: ReportFreshness) {
        let whole = query.scans(at: date)
        let stale = freshness == .stored ? Self.stale(days, whole.filter(\.isClaimed), query, date) : []
        for scan in whole {
            guard let section = ReportSection(query.kind, scan.selection) else { continue }
            let held = days.filter { day in
                day.holds(section, scan, query, at: date) || stale.contains(day.day) && scan.overlaps(day.day)
            }
            scans += scan.without(held.map(\.day))
            guard scan.isClaimed else { continue }
            parts += held.map { Part(day: $0, section: section) }
            let old = held.filter { !$0.holds(section, scan, query, at: date) }
            asOf = (old.map(\.foldedAt) + [asOf].compactMap(\.self)).min()
        }
    }

    /// The changed days whose sums are used as they are stored: all but the newest ones with few transactions to count.
    private static func stale(
        _ days: [StoredReportDay], _ scans: [ReportScan], _ query: ReportQuery, _ date: Date
    ) -> Set<ReportDay> {
        var count = 0
        let changed = days.reversed().filter { day in
            scans.contains { scan in
                guard let section = ReportSection(query.kind, scan.selection) else { return false }
                return scan.overlaps(day.day) && !day.holds(section, scan, query, at: date)
            }
        }
        return Set(
            changed.filter { day in
                let sum = count.saturatingAdding(day.count)
                guard sum > ReportFreshness.countedAnew else {
                    count = sum
                    return false
                }
                return true
            }.map(\.day))
    }
}

extension StoredReportDay {
    /// Whether a section's sums are what a scan of a report at a date counts on this day.
    fileprivate func holds(_ section: ReportSection, _ scan: ReportScan, _ query: ReportQuery, at date: Date) -> Bool {
        switch section {
        case .purchases, .refunds, .periods, .refundEnds: scan.contains(day) && isUnchanged
        case .ends: scan.contains(day) && holds(at: date)
        // What ends on this day before the scan's time does not run any more.
        case .running: scan.overlaps(day) && day.end <= scan.to && holds(at: min(query.to, date))
        case .activity: false
        }
    }
}

extension ReportScan {
    /// Whether a day is wholly in its time.
    fileprivate func contains(_ day: ReportDay) -> Bool { from <= day.start && day.end <= to }

    /// Whether a day is in its time, or a part of it.
    fileprivate func overlaps(_ day: ReportDay) -> Bool { day.start < to && from < day.end }

    /// The scans of the rest of its time.
    ///
    /// - Parameter days: in their order.
    fileprivate func without(_ days: [ReportDay]) -> [ReportScan] {
        var (rests, rest): ([ReportScan], ReportScan) = ([], self)
        for day in days {
            rest.to = min(max(day.start, rest.from), to)
            if rest.from < rest.to { rests.append(rest) }
            rest.from = max(rest.from, day.end)
        }
        rest.to = to
        return rest.from < to ? rests + [rest] : rests
    }
}

/// How new the numbers of a report are.
package enum ReportFreshness: Sendable {
    /// As of now, whatever that costs: what is not stored, or has changed, is counted.
    case now
    /// As stored, if more than a few transactions would have to be counted; the report states as of when.
    case stored

    /// The number of transactions of changed days that are counted anew for a report of ``stored``.
    static let countedAnew = 200
    /// The number of transactions of one scan that are counted for a report of ``stored``; days that were never counted
    /// may have more, which are then missing.
    static let pageSize = 250
}
