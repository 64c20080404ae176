package import InAppPurchase

/// The rows of the audit trail whose content is to be erased.
package enum ErasureChoice: Hashable, Sendable {
    /// The maximum number of rows that one call erases by their sequence numbers, all named in one row.
    package static let maximumRows = 10_000

    /// The rows about an account that have a content.
    case account(AccountID)
    /// The rows with these sequence numbers, including those whose content is missing already without a row that names
    /// them.
    case rows([ClosedRange<Int>])
}
