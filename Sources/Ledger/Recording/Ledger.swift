package import InAppPurchase
package import Basics
package import Foundation

/// What was received, decided and delivered, and the accounts it belongs to.
///
/// Each method is one whole database transaction that keeps the ledger's rules: after it, all of it is durable or none.
/// Nothing is ever deleted. Implementations run the rules of ``ReceiptRecorder`` and ``LedgerTransaction`` inside that
/// transaction; one test suite runs against all of them.
///
/// Throws ``LedgerRefusal`` where a rule says no, ``LedgerUnavailable`` where the storage cannot read or write now.
package protocol Ledger: KeyValueStore, AuditTrail, AdminTokens, LedgerChecks, SupportActs, AccountReports,
    AppStoreNotifications, ConsumptionRequests, SubscriptionsAwaitingUpdate, ProvisionalAccess, ManifestDeliveries,
    CatalogRevisions,
    ReceiptLists, AppReceiptQuestions
{
    /// Whether nothing was ever recorded: no account, no receipt.
    func isEmpty() async throws -> Bool

    // MARK: Accounts. Tokens and codes are known to the ledger by their SHA-256 only.

    /// Makes an account with its first session.
    func createAccount(_ account: AccountID, token: Data, recoveryCode: Data, at date: Date) async throws

    /// The account that an open session's token belongs to, or nil.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func account(forToken token: Data) async throws -> AccountID?

    /// Opens another session of the account with this recovery code; nil where there is none.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func openSession(recoveryCode: Data, token: Data, at date: Date) async throws -> AccountID?

    /// Ends a session for ever. The second time nothing happens.
    func closeSession(token: Data, at date: Date) async throws

    // MARK: Receipts

    /// Records what could not be read as a receipt: by hash, length and reason only, so that garbage fills no disk.
    ///
    /// - Parameter id: what the client is told, so that it can be found again.
    func recordUnreadable(
        id: String, digest: Data, length: Int, reason: String, from account: AccountID, at date: Date
    ) async throws

    /// Records a receipt before the store is asked, as pending from now on, and due for the retry worker at `retry`.
    ///
    /// The very same receipt of the same account again returns what was recorded the first time.
    /// - Throws: ``LedgerRefusal/tooManyPending`` where the account has ``PendingReceipt/maximumPending`` waiting already,
    ///   ``LedgerRefusal/tooManyBytes(_:)`` if a budget of ``ReceiptByteBudgets/pending`` is used up. Nothing is recorded
    ///   then.
    func enqueue(
        _ receipt: Receipt, retryAt retry: Date, within budgets: ReceiptByteBudgets, at date: Date
    ) async throws -> PendingReceipt

    /// Records the store's verdict on a receipt, and the receipt too where it was not kept before, and delivers.
    ///
    /// Any number of times, in any order: what is owed is owed once. What was accepted once stays so, whatever the
    /// verdict on the same receipt is later.
    ///
    /// Of a receipt that cannot be parsed (`malformed`) the bytes are not kept, nor, if they were before, any longer. The
    /// bytes of others are kept as far as the context's ``ReceiptByteBudgets`` allow.
    /// - Throws: ``LedgerRefusal/tooManyBytes(_:)`` for a receipt that is new and refused, if a budget of
    ///   ``ReceiptByteBudgets/rejected`` is used up. Nothing is recorded then. A receipt that is larger than the whole
    ///   budget never fits; it is recorded without its bytes.
    func record(
        _ receipt: Receipt, _ verdict: Result<VerifiedReceipt, ReceiptRejection>, in context: RecordingContext
    ) async throws -> ReceiptAnswer

    /// Whether a copy of the transaction was recorded before.
    func contains(_ transaction: Transaction.Key) async throws -> Bool

    /// Lets every receipt that was put off be due now: an outage is over. Those that the store doubted keep their time.
    func retryPendingNow(at date: Date) async throws

    /// Puts a kept receipt off. Nothing happens where it was settled meanwhile.
    func postpone(_ receipt: Receipt, attempts: Attempts, until retry: Date, at date: Date) async throws

    /// The pending receipts that are due, in the order they came. Each is put off to `lease`, so that no other worker takes it.
    func dueReceipts(limit: Int, lease: Date, at date: Date) async throws -> [PendingReceipt]

    /// What waits for the store, to be watched.
    func pendingReceipts() async throws -> PendingReceipts

    /// What became of a receipt, now; nil where this account sent none with the ID.
    func receipt(_ id: String, of account: AccountID, in context: RecordingContext) async throws -> ReceiptAnswer?

    // MARK: Entitlements

    func entitlements(of account: AccountID, in context: RecordingContext) async throws -> [ProductEntitlement]

    /// Whether an administrator has the account offered versions on the channel beta.
    func isBeta(_ account: AccountID) async throws -> Bool

    /// Credits earned minus credits spent, by currency; may be negative after a refund.
    func balances(of account: AccountID, scope: Scope, in context: RecordingContext) async throws -> Credits

    /// Spends once per key.
    /// - Returns: the balance after it; the same again for the same key and amount.
    /// - Throws: ``LedgerRefusal/insufficientBalance`` (the key stays usable; also where the amount is less than 1),
    ///   ``LedgerRefusal/idempotencyKeyReused``.
    func spend(_ spend: Spend, in context: RecordingContext) async throws -> Int

    /// Gives terms to transactions recorded before the catalog knew their product, and delivers them.
    /// - Returns: how many there were.
    func bindTerms(in context: RecordingContext) async throws -> Int
}
