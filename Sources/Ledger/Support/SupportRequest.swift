package import Foundation
package import InAppPurchase

/// An act that an administrator asks for.
package enum SupportRequest: Hashable, Sendable {
    /// See ``SupportLedger/transfer(_:to:_:in:)``.
    case transfer(OriginalTransaction.Key, to: AccountID)
    /// See ``SupportLedger/undoTransfer(of:_:in:)``.
    case undoTransfer(OriginalTransaction.Key)
    /// See ``SupportLedger/adjust(_:_:in:)``.
    case adjust(Adjustment)
    /// See ``SupportLedger/grant(_:_:in:)``.
    case grant(ProductGrant)
    /// See ``SupportLedger/revokeGrant(_:of:_:in:)``.
    case revokeGrant(String, of: AccountID)
    /// See ``SupportLedger/block(_:_:)`` and ``SupportLedger/unblock(_:_:)``.
    case setBlocked(AccountID, Bool)
    /// See ``SupportLedger/addTester(_:_:)`` and ``SupportLedger/removeTester(_:_:)``.
    case setTester(AccountID, Bool)
    /// See ``SupportLedger/addToBeta(_:_:)`` and ``SupportLedger/removeFromBeta(_:_:)``.
    case setBeta(AccountID, Bool)
    /// See ``SupportLedger/setExternalID(_:of:_:)``.
    case setExternalID(AccountID, ExternalID?)
    /// See ``SupportLedger/addNote(_:to:_:)``.
    case addNote(String, to: AccountID)
    /// See ``SupportLedger/removeNote(_:of:_:)``.
    case removeNote(String, of: AccountID)
    /// See ``SupportLedger/resetSandbox(of:app:_:in:)``.
    case resetSandbox(AccountID, app: BundleID?)
    /// See ``SupportLedger/revokeSessions(of:_:)``.
    case revokeSessions(AccountID)
    /// See ``SupportLedger/setRecoveryCode(of:digest:_:)``.
    case setRecoveryCode(AccountID, digest: Data)
    /// See ``SupportLedger/retryReceipt(_:_:)``.
    case retryReceipt(String)
}
