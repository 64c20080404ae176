package import InAppPurchase

/// Which rows of the audit trail lose their content.
package enum ErasureChoice: Hashable, Sendable {
    /// Rows that one call erases by their numbers: they are named in one row.
    package static let maximumRows = 10_000

    /// Those about an account that have one.
    case account(AccountID)
    /// Those with these numbers, also where their content is gone already and no row tells of it.
    case rows([ClosedRange<Int>])
}
