package import Foundation
package import InAppPurchase

/// The sums of a day: a fold of its transactions by the rules of ``Report``, for each app, section and grouping.
package struct ReportDayFold: Sendable {
    private struct Part: Hashable {
        var app: BundleID
        var section: ReportSection
        var grouping: ReportGrouping
    }

    package let environment: Environment
    package let day: ReportDay
    /// The current date.
    package let date: Date
    /// The number of transactions that were counted, once for each of their dates.
    package private(set) var count = 0
    /// The limits of the time in which the same transactions give the same numbers.
    package private(set) var validFrom: Date?
    package private(set) var validUntil: Date?
    private var reports: [Part: Report] = [:]
    private var activity: [BundleID: ReportTally] = [:]

    package init(of day: ReportDay, in environment: Environment, at date: Date) {
        self.day = day
        self.environment = environment
        self.date = date.wholeMilliseconds
    }

    /// The rows of the ledger that the sums of days are computed from.
    package static func scans(of days: ClosedRange<ReportDay>, in environment: Environment) -> [ReportScan] {
        [ReportScan.Selection.purchased, .revoked, .expiring].flatMap { selection in
            [true, false].map {
                ReportScan(
                    selection: selection, isClaimed: $0, environment: environment, app: nil,
                    from: days.lowerBound.start, to: days.upperBound.end)
            }
        }
    }

    /// Counts a transaction of this day that one of the scans found.
    package mutating func add(_ reported: ReportedTransaction, from scan: ReportScan) {
        count = count.saturatingAdding(1)
        guard scan.selection == .expiring else { return add(reported, scan, scan.selection) }
        narrowValidity(by: reported)
        add(reported, scan, .expiring)
        if let end = reported.transaction.expirationDate, end > date { add(reported, scan, .running) }
    }

    /// Counts credits, receipts or downloads of this day.
    package mutating func add(_ activity: DayActivity) {
        count = count.saturatingAdding(activity.count)
        self.activity[activity.app, default: ReportTally()].add(activity.tally)
    }

    private mutating func add(_ reported: ReportedTransaction, _ scan: ReportScan, _ selection: ReportScan.Selection) {
        var scan = scan
        scan.selection = selection
        for section in ReportSection.allCases where section.selection == selection {
            for grouping in ReportGrouping.allCases {
                let part = Part(app: reported.transaction.app, section: section, grouping: grouping)
                guard var report = reports.removeValue(forKey: part) ?? report(section, grouping) else { continue }
                report.add(reported, from: scan)
                reports[part] = report
            }
        }
    }

    /// A report that ends at the current date at the earliest, since it counts what runs at its end.
    private func report(_ section: ReportSection, _ grouping: ReportGrouping) -> Report? {
        guard let kind = section.kind,
            var query = ReportQuery(kind, by: grouping, from: day.start, to: day.end, environment: environment)
        else { return nil }
        query.to = max(query.to, date)
        return Report(query, at: date)
    }

    /// Narrows the time in which the sums hold to that in which the transaction gives the same numbers.
    private mutating func narrowValidity(by reported: ReportedTransaction) {
        let transaction = reported.transaction
        let times = [
            transaction.purchaseDate, transaction.expirationDate, transaction.revocation?.date,
            reported.later?.purchaseDate, reported.renewal?.gracePeriodExpirationDate,
        ]
        for time in times.compactMap(\.self) {
            if time <= date {
                validFrom = validFrom.map { max($0, time) } ?? time
            } else {
                validUntil = validUntil.map { min($0, time) } ?? time
            }
        }
    }

    /// The sums by app, without apps that have none.
    package func sums(by grouping: ReportGrouping) -> [BundleID: ReportSums] {
        var sums: [BundleID: ReportSums] = [:]
        for (part, report) in reports where part.grouping == grouping {
            let tallies = grouping == .day ? ["": report.total] : report.rows
            guard report.total != ReportTally() else { continue }
            sums[part.app, default: ReportSums()].sections[part.section] = tallies
        }
        guard grouping == .day else { return sums }
        for (app, tally) in activity { sums[app, default: ReportSums()].sections[.activity] = ["": tally] }
        return sums
    }

    /// The apps that have sums.
    package var apps: Set<BundleID> { Set(sums(by: .day).keys) }
}

/// The things that the rows of a report stand for.
package enum ReportGrouping: String, CaseIterable, CodingKey, Sendable {
    /// A day in UTC.
    case day
    /// A product's ID.
    case product
    /// A storefront (ISO 3166-1, three letters); ``ReportTally/unknown`` if no copy of the transaction states it.
    case storefront
    /// A version of the app, in numbers, as it was stated first; ``ReportTally/unknown`` if nothing states one.
    case version
}

/// The numbers of one app on one day, by section, and by the product, storefront or version; in a sum of all, by an
/// empty name.
package struct ReportSums: Hashable, Codable, Sendable {
    package var sections: [ReportSection: [String: ReportTally]] = [:]

    package init() {}

    package init(from decoder: any Decoder) throws {
        sections = try decoder.singleValueContainer().decode([ReportSection: [String: ReportTally]].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(sections)
    }
}
