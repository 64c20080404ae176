package import Foundation
package import InAppPurchase

/// Accounts and sessions, entitlements, credits, and what a player sees of them. Tokens and recovery codes are known by
/// their SHA-256 only.
package protocol AccountLedger: Sendable {
    // MARK: Accounts

    /// Creates an account with its first session.
    ///
    /// With an idempotency key that created an account within ``NewAccount/keyLifetime``, that account gets the new
    /// token and the new recovery code in place of its own, as long as nothing was recorded about it since but its
    /// starting credits.
    ///
    /// - Returns: the ID of the account that has the token and the recovery code now.
    /// - Throws: ``LedgerRefusal/accountKeyReused`` if the account of the key has been used, or after
    ///   ``NewAccount/maximumRepeats``.
    func createAccount(_ new: NewAccount) async throws -> AccountID

    /// Returns the account that an open session's token belongs to, or `nil`.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func account(forToken token: Data) async throws -> AccountID?

    /// Returns the account with this recovery code, or `nil`. Writes nothing.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func account(forRecoveryCode recoveryCode: Data) async throws -> AccountID?

    /// Opens another session of the account with this recovery code; returns `nil` if there is no such account.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func openSession(recoveryCode: Data, token: Data, at date: Date) async throws -> AccountID?

    /// Ends a session permanently. Idempotent.
    func closeSession(token: Data, at date: Date) async throws

    // MARK: Entitlements

    /// Returns the entitlements of the account, including provisional access by pending receipts.
    func entitlements(of account: AccountID, in context: RecordingContext) async throws -> [ProductEntitlement]

    /// Returns whether an administrator has put the account on the channel beta.
    func isBeta(_ account: AccountID) async throws -> Bool

    /// Returns credits earned minus credits spent, by currency. A balance may be negative after a refund.
    func balances(of account: AccountID, scope: Scope, in context: RecordingContext) async throws -> Credits

    /// Returns whether the account may get the offers of a subscription.
    func offerEligibility(of account: AccountID, for product: Product, in scope: Scope, _ context: RecordingContext)
        async throws -> OfferEligibility

    /// Spends credits, once per idempotency key.
    /// - Returns: the balance afterwards; the same again for the same key and amount.
    /// - Throws: ``LedgerRefusal/insufficientBalance`` (the key stays usable; also if the amount is less than 1),
    ///   ``LedgerRefusal/idempotencyKeyReused``.
    func spend(_ spend: Spend, in context: RecordingContext) async throws -> Int

    /// Posts the credits that the account starts with in an app, once per environment. Receipts and spends do it by
    /// themselves.
    func giveStartingCredits(to account: AccountID, in scope: Scope, _ context: RecordingContext) async throws

    // MARK: History

    /// Returns purchases that the account owns or that credited it, newest first, whatever became of them; one that has
    /// several transaction IDs once.
    ///
    /// - Parameter position: of the last purchase of the previous page; `nil` for the first page.
    /// - Returns: at most `limit`.
    func purchases(
        of account: AccountID, in scope: Scope, after position: PurchasePosition?, limit: Int
    ) async throws -> [RecordedTransaction]

    /// Returns the changes of a balance, newest first.
    ///
    /// - Parameter position: ``PostingPage/next`` of the previous page; `nil` for the first.
    func postings(of account: AccountID, in scope: Scope, currency: Currency, after position: Int?, limit: Int)
        async throws -> PostingPage

    // MARK: Consent

    /// Records whether the App Store may be told what the account did with its purchases. The app asks its customer
    /// (Apple, "Send Consumption Information": without consent nothing may be sent). Setting the same again changes
    /// nothing.
    func setConsumptionConsent(_ consents: Bool, of account: AccountID, at date: Date) async throws
}
