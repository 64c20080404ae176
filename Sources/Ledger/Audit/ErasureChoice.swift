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

/// The result of an erasure.
package struct ErasureOutcome: Hashable, Sendable {
    /// The number of rows that had a content and have none now.
    package var erased = 0
    /// The number of rows that had none before, and are named now.
    package var named = 0

    package init(erased: Int = 0, named: Int = 0) {
        self.erased = erased
        self.named = named
    }
}

/// The reason why nothing is erased.
package enum ErasureRefusal: Error, Hashable, Sendable {
    /// The row records an erasure: without its content the erasures that it names would no longer be recorded.
    case tellsOfAnErasure(sequence: Int)
    /// No row has any of the sequence numbers.
    case noSuchRow
    /// More than ``ErasureChoice/maximumRows`` rows were chosen by their sequence numbers.
    case tooManyRows
}
