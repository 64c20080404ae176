/// What a receipt came to for the account that presented it.
package struct RecordedReceipt: Sendable {
    /// In the order of the receipt.
    package var transactions: [TransactionAnswer]
    /// Every transaction in it belongs to another account.
    package var isConflict: Bool
    /// The account's, after all was recorded.
    package var state: AccountState
}
