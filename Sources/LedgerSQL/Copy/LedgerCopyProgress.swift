/// The progress of a copy of a ledger.
package struct LedgerCopyProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// The source is read once, to compute its fingerprint.
        case reading
        case copying
        /// The copied rows are read and compared.
        case comparing
    }

    package var step: Step
    /// The rows done.
    package var done = 0
    /// The rows in total; `nil` if it is not known yet.
    package var total: Int?

    package init(_ step: Step, total: Int? = nil) {
        self.step = step
        self.total = total
    }
}
