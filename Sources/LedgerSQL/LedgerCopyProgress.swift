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

/// Why a ledger is not copied. Nothing was written but what a begun copy has.
package enum LedgerCopyRefusal: Error, Hashable, CustomStringConvertible {
    /// The target is in use.
    case holdsALedger
    /// A copy was begun there, of another ledger or of this one as it was before.
    case otherCopy
    /// A table there has other rows than were copied.
    case differs(String)

    package var description: String {
        switch self {
        case .holdsALedger: "it holds another ledger; a copy goes into an empty database"
        case .otherCopy: "it holds a begun copy of another ledger, or of this one before it changed; empty it first"
        case .differs(let table): "the table \(table) there has other rows than were copied; empty it first"
        }
    }
}
