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
