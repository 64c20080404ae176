/// The result of recording a receipt for the account that presented it.
package struct RecordedReceipt: Sendable {
    /// The outcomes of the transactions, in the order of the receipt.
    package var transactions: [TransactionAnswer]
    /// Whether every transaction in it belongs to another account.
    package var isConflict: Bool
    /// Whether anything is recorded that was not before: of a transaction, its owner or a delivery. A receipt that is
    /// presented again mostly changes nothing.
    package var changesAnything: Bool
    /// The account's state after everything was recorded.
    package var state: AccountAnswers
}
