package import Foundation
package import InAppPurchase

/// An act that an administrator asks for.
package enum SupportRequest: Hashable, Sendable {
    /// See ``Ledger/transfer(_:to:_:in:)``.
    case transfer(OriginalTransaction.Key, to: AccountID)
    /// See ``Ledger/undoTransfer(of:_:in:)``.
    case undoTransfer(OriginalTransaction.Key)
    /// See ``Ledger/adjust(_:_:in:)``.
    case adjust(Adjustment)
    /// See ``Ledger/grant(_:_:in:)``.
    case grant(ProductGrant)
    /// See ``Ledger/revokeGrant(_:of:_:in:)``.
    case revokeGrant(String, of: AccountID)
    /// See ``Ledger/block(_:_:)`` and ``Ledger/unblock(_:_:)``.
    case setBlocked(AccountID, Bool)
    /// See ``Ledger/addTester(_:_:)`` and ``Ledger/removeTester(_:_:)``.
    case setTester(AccountID, Bool)
    /// See ``Ledger/addToBeta(_:_:)`` and ``Ledger/removeFromBeta(_:_:)``.
    case setBeta(AccountID, Bool)
    /// See ``Ledger/resetSandbox(of:app:_:in:)``.
    case resetSandbox(AccountID, app: BundleID?)
    /// See ``Ledger/revokeSessions(of:_:)``.
    case revokeSessions(AccountID)
    /// See ``Ledger/setRecoveryCode(of:digest:_:)``.
    case setRecoveryCode(AccountID, digest: Data)
    /// See ``Ledger/retryReceipt(_:_:)``.
    case retryReceipt(String)
}
