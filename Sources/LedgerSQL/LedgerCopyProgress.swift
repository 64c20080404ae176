/// How far a copy of a ledger is.
package struct LedgerCopyProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// The source is read once, to know it again.
        case reading
        case copying
        /// What was copied is read.
        case comparing
    }

    package var step: Step
    /// Rows.
    package var done = 0
    /// Rows; nil where it is not known yet.
    package var total: Int?

    package init(_ step: Step, total: Int? = nil) {
        self.step = step
        self.total = total
    }
}
