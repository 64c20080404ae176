package import Foundation
package import InAppPurchase

/// The sums of a day as they are stored, and until when they hold.
package struct StoredReportDay: Sendable {
    package var day: ReportDay
    /// Whether nothing that they are computed from has changed since.
    package var isUnchanged: Bool
    /// Whether it was over for so long that none of its credits, receipts and downloads are missing.
    package var isFinal: Bool
    /// The current date at which they were computed.
    package var foldedAt: Date
    /// The limits of the time in which the same transactions give the same numbers: no period or grace period ends in
    /// it.
    package var validFrom: Date?
    package var validUntil: Date?
    /// The number of transactions that they are computed from.
    package var count: Int
    /// The sums by app, grouped as the report is.
    package var sums: [BundleID: ReportSums]

    package init(
        day: ReportDay, isUnchanged: Bool, isFinal: Bool, foldedAt: Date, validFrom: Date?, validUntil: Date?,
        count: Int, sums: [BundleID: ReportSums]
    ) {
        self.day = day
        self.isUnchanged = isUnchanged
        self.isFinal = isFinal
        self.foldedAt = foldedAt
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.count = count
        self.sums = sums
    }

    /// Whether the transactions give these numbers at a date.
    func holds(at date: Date) -> Bool {
        isUnchanged && validFrom.map { $0 <= date } ?? true && validUntil.map { date < $0 } ?? true
    }
}
