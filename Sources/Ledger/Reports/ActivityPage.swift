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
