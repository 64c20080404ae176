package import InAppPurchase

/// A rule of the ledger says no.
package enum LedgerRefusal: Error, Hashable, Sendable {
    case tooManyPending
    /// A budget of bytes is used up.
    case tooManyBytes(ReceiptBytesKind)
    case insufficientBalance
    case idempotencyKeyReused
    case nameTaken
    /// Shut out by an administrator.
    case accountBlocked(AccountID)
    case unknownAccount
    case unknownOriginalTransaction
    /// No product of the app gives it and the app's entry does not name it; those that are named, in order.
    case unknownCurrency(named: [Currency])
}
