package import Basics
package import Foundation
package import InAppPurchase

/// The database of accounts, receipts, purchases, credits and deliveries.
///
/// Each method is one database transaction and keeps the ledger's rules: when it returns, either all of its changes are
/// durable or none. Purchases, postings and audit rows are never deleted. Implementations run the rules of
/// ``ReceiptRecorder`` and ``LedgerTransaction`` inside that transaction; one test suite runs against all of them.
///
/// Throws ``LedgerRefusal`` if a rule forbids the change, ``LedgerUnavailable`` if the database cannot be read or
/// written now.
package protocol Ledger: KeyValueStore, AuditTrail, AdminTokens, LedgerChecks, SupportActs, AccountReports,
    AppStoreNotifications, ConsumptionRequests, SubscriptionsAwaitingUpdate, ProvisionalAccess, ManifestDeliveries,
    CatalogRevisions,
    ReceiptLists, AppReceiptQuestions
{
    /// Returns whether the ledger is empty: no account, no receipt.
    func isEmpty() async throws -> Bool

    // MARK: Accounts. Tokens and codes are known to the ledger by their SHA-256 only.

    /// Creates an account with its first session.
    func createAccount(_ account: AccountID, token: Data, recoveryCode: Data, at date: Date) async throws

    /// Returns the account that an open session's token belongs to, or `nil`.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func account(forToken token: Data) async throws -> AccountID?

    /// Opens another session of the account with this recovery code; returns `nil` if there is no such account.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func openSession(recoveryCode: Data, token: Data, at date: Date) async throws -> AccountID?

    /// Ends a session permanently. Idempotent.
    func closeSession(token: Data, at date: Date) async throws

    // MARK: Receipts

    /// Records bytes that could not be parsed as a receipt: only the reason, and their hash and length as far as they
    /// are known, so that invalid input cannot fill the disk.
    ///
    /// - Parameter id: the ID that the client is told, by which the row can be found.
    func recordUnreadable(
        _ bytes: UnreadableBytes, id: String, reason: String, from account: AccountID, at date: Date
    ) async throws

    /// Records a receipt as pending before the App Store is asked, due for the retry worker at `retry`.
    ///
    /// Idempotent: the same receipt of the same account returns what was recorded the first time.
    /// - Parameter isVerified: whether the server verified it by itself. It is then limited by
    ///   ``ReceiptByteBudgets/verified`` alone, so that nobody's forgeries hold up what was paid for.
    /// - Throws: ``LedgerRefusal/tooManyPending`` if the account has ``PendingReceipt/maximumPending`` pending receipts
    ///   already, ``LedgerRefusal/tooManyBytes(_:)`` if a budget of ``ReceiptByteBudgets/pending`` is exhausted. Then
    ///   nothing is recorded.
    func enqueue(
        _ receipt: Receipt, isVerified: Bool, retryAt retry: Date, within budgets: ReceiptByteBudgets, at date: Date
    ) async throws -> PendingReceipt

    /// Records the result of verifying a receipt, and the receipt too if it was not recorded before, and delivers.
    ///
    /// Idempotent and independent of order: everything is delivered and posted once. A receipt that was accepted once
    /// stays accepted, whatever a later verification says.
    ///
    /// The bytes of a receipt that cannot be parsed (`malformed`) are not stored, and removed if they were. The bytes
    /// of others are stored as far as the context's ``ReceiptByteBudgets`` allow.
    /// - Throws: ``LedgerRefusal/tooManyBytes(_:)`` for a receipt that is new and rejected, if a budget of
    ///   ``ReceiptByteBudgets/rejected`` is exhausted. Then nothing is recorded. A receipt that is larger than the
    ///   whole budget never fits; it is recorded without its bytes.
    func record(
        _ receipt: Receipt, _ verdict: Result<VerifiedReceipt, ReceiptRejection>, in context: RecordingContext
    ) async throws -> ReceiptAnswer

    /// Returns whether a copy of the transaction is recorded.
    func contains(_ transaction: Transaction.Key) async throws -> Bool

    /// Makes every pending receipt due now, after an outage has ended, also those that are due already: so they get
    /// their turn in the order of their arrival. Those with ``Attempts/areAmbiguous`` keep their retry time.
    func retryPendingNow(at date: Date) async throws

    /// Postpones a pending receipt. Does nothing if it was answered meanwhile.
    func postpone(_ receipt: Receipt, attempts: Attempts, until retry: Date, at date: Date) async throws

    /// Leases pending receipts that are due: of each app an equal share, in the order in which they became due. Each is
    /// postponed to `lease`, so that no other worker takes it.
    func dueReceipts(limit: Int, lease: Date, at date: Date) async throws -> [PendingReceipt]

    /// Returns the number and age of pending receipts, for monitoring.
    func pendingReceipts() async throws -> PendingReceipts

    /// Returns the current answer to a receipt; `nil` if this account sent none with the ID.
    func receipt(_ id: String, of account: AccountID, in context: RecordingContext) async throws -> ReceiptAnswer?

    // MARK: Entitlements

    /// Returns the entitlements of the account, including provisional access by pending receipts.
    func entitlements(of account: AccountID, in context: RecordingContext) async throws -> [ProductEntitlement]

    /// Returns whether an administrator has put the account on the channel beta.
    func isBeta(_ account: AccountID) async throws -> Bool

    /// Returns credits earned minus credits spent, by currency. A balance may be negative after a refund.
    func balances(of account: AccountID, scope: Scope, in context: RecordingContext) async throws -> Credits

    /// Spends credits, once per idempotency key.
    /// - Returns: the balance afterwards; the same again for the same key and amount.
    /// - Throws: ``LedgerRefusal/insufficientBalance`` (the key stays usable; also if the amount is less than 1),
    ///   ``LedgerRefusal/idempotencyKeyReused``.
    func spend(_ spend: Spend, in context: RecordingContext) async throws -> Int

    /// Gives terms to transactions that were recorded before the catalog had their product, and delivers them.
    /// - Returns: the number of these transactions.
    func bindTerms(in context: RecordingContext) async throws -> Int
}
