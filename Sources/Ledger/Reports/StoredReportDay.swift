package import Foundation
package import InAppPurchase

/// The sums of a day as they are stored, and until when they hold.
package struct StoredReportDay: Sendable {
    package var day: ReportDay
    /// Whether nothing that they are made of has changed since.
    package var isUnchanged: Bool
    /// Whether it was over for so long that its credits, receipts and downloads are all of them.
    package var isFinal: Bool
    /// The current date at which they were made.
    package var foldedAt: Date
    /// The times at which the same transactions come to the same numbers: between, no period or grace period ends.
    package var validFrom: Date?
    package var validUntil: Date?
    /// The number of transactions that they are made of.
    package var count: Int
    /// By app; grouped as the report is.
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

    /// Whether the transactions come to these numbers at a date.
    func holds(at date: Date) -> Bool {
        isUnchanged && validFrom.map { $0 <= date } ?? true && validUntil.map { date < $0 } ?? true
    }
}
