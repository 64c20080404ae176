/// The result of recording a receipt for the account that presented it.
package struct RecordedReceipt: Sendable {
    /// In the order of the receipt.
    package var transactions: [TransactionAnswer]
    /// Whether every transaction in it belongs to another account.
    package var isConflict: Bool
    /// The account's state after everything was recorded.
    package var state: AccountState
}
