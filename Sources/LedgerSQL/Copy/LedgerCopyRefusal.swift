/// The reason why a ledger is not copied. Nothing is written except what an unfinished copy already has.
package enum LedgerCopyRefusal: Error, Hashable, CustomStringConvertible {
    /// The target holds a ledger that is in use.
    case holdsALedger
    /// The target holds an unfinished copy of another ledger, or of an earlier state of this one.
    case otherCopy
    /// A table of the target differs from what was copied.
    case differs(String)

    package var description: String {
        switch self {
        case .holdsALedger: "it holds another ledger; a copy goes into an empty database"
        case .otherCopy: "it holds a begun copy of another ledger, or of this one before it changed; empty it first"
        case .differs(let table): "the table \(table) there has other rows than were copied; empty it first"
        }
    }
}
