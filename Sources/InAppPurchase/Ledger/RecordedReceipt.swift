/// What a receipt came to for the account that presented it.
public struct RecordedReceipt: Sendable {
    /// In the order of the receipt.
    public var transactions: [TransactionAnswer]
    /// Every transaction in it belongs to another account.
    public var isConflict: Bool
    /// The account's, after all was recorded.
    public var state: AccountState
}
