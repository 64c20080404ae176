package import InAppPurchase

/// A request that a rule of the ledger forbids.
package enum LedgerRefusal: Error, Hashable, Sendable {
    case tooManyPending
    /// As many transaction IDs of the account, its address, or all are pending as ``PendingReceipt`` allows.
    case tooManyTransactionIDs
    /// A budget of ``ReceiptByteBudgets`` is exhausted.
    case tooManyBytes(ReceiptBytesKind)
    case insufficientBalance
    case idempotencyKeyReused
    /// The account that was created with the idempotency key has been used since.
    case accountKeyReused
    case nameTaken
    /// An administrator has blocked the account.
    case accountBlocked(AccountID)
    case unknownAccount
    /// Another account has the external ID.
    case externalIDInUse
    case unknownOriginalTransaction
    case unknownReceipt
    /// The app has no product with this ID.
    case unknownProduct
    /// The product of a grant gives credits alone, and no access.
    case nothingToGrant
    /// The access of a grant would have ended already.
    case grantEnded
    /// The account has ``ProductGrant/maximumStanding`` grants that stand.
    case tooManyGrants
    case unknownGrant
    /// The account has ``AccountNote/maximumOfAccount`` notes.
    case tooManyNotes
    /// The original transaction was never transferred.
    case notTransferred
    /// No product of the app credits this currency and the app's entry does not name it; the currencies that are named,
    /// sorted.
    case unknownCurrency(named: [Currency])
}
