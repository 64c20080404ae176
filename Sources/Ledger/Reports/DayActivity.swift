package import InAppPurchase

/// Credits of an app, or receipts and downloads, on one day.
package struct DayActivity: Sendable {
    /// The app of receipts and downloads: they may be of several apps, or of none that is known yet. They count as
    /// Production's.
    package static let ofAllApps = BundleID(stored: "")

    package var day: ReportDay
    package var app: BundleID
    package var tally: ReportTally
    /// The number of rows that were counted.
    package var count: Int

    /// - Parameters:
    ///   - columns: those that have one number.
    ///   - named: those that have a number for each of several names.
    package init(
        day: ReportDay, app: BundleID, columns: [ReportColumn: Int] = [:],
        named: [ReportColumn: [String: Int]] = [:], count: Int
    ) {
        self.day = day
        self.app = app
        self.count = count
        var tally = ReportTally()
        for (column, amount) in columns where amount > 0 { tally.count(column, amount) }
        for (column, amounts) in named {
            for (name, amount) in amounts where amount > 0 { tally.count(column, name, amount) }
        }
        self.tally = tally
    }
}
