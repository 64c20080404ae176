package import InAppPurchase
package import Foundation

/// The rows that the ledger's rules read and write inside one database transaction.
///
/// An implementation holds one open transaction; it is used from one thread and not after the transaction ends. Methods
/// take many keys at once, so that a networked database needs one round trip for each step.
package protocol LedgerTransaction {
    /// The living account that each ID names. An ID without an entry names none: it is no account of this server.
    func livingAccounts(named ids: Set<AccountID>) throws -> [AccountID: AccountID]
    /// Whether the account opened a session, or sent a receipt, after the date.
    func hasBeenUsed(_ account: AccountID, since date: Date) throws -> Bool
    /// Whether an administrator made the account a sandbox tester.
    func isTester(_ account: AccountID) throws -> Bool

    /// Those that are recorded and not forgotten; the same holds of transactions and deliveries. Of the transfers each has
    /// the first and the newest ``Claim/transfersPerWindow``, so that one that moved a thousand times costs no more.
    func originalTransactions(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        OriginalTransaction]
    /// Those of the original transactions that a ``SupportActs/resetSandbox(of:app:_:in:)`` forgot, and nobody has shown since.
    func forgottenOriginalTransactions(among keys: Set<OriginalTransaction.Key>) throws -> Set<OriginalTransaction.Key>
    /// Likewise, of transactions.
    func forgottenTransactions(among keys: Set<Transaction.Key>) throws -> Set<Transaction.Key>
    /// Inserts or replaces an original transaction. Of one that was forgotten what stood before counts no more; so it is with
    /// transactions and deliveries.
    ///
    /// - Parameter transfers: those of its transfers that are not recorded yet, oldest first.
    func write(_ original: OriginalTransaction, adding transfers: [OriginalTransaction.Transfer]) throws
    /// Gives the credits of the original transaction's transactions to another account. What was posted for them stays as it is.
    func transferCredits(of original: OriginalTransaction.Key, from: AccountID, to: AccountID) throws

    /// Those that are recorded, in no order.
    func transactions(_ keys: Set<Transaction.Key>) throws -> [RecordedTransaction]
    /// Inserts or replaces by ``Transaction/key``. The owner stands with the original transaction and is not written here.
    func write(_ record: RecordedTransaction) throws
    /// Transactions that have no terms yet although `products` (by app) are known now.
    func transactionsWithoutTerms(of products: [BundleID: Set<ProductID>]) throws -> [RecordedTransaction]
    /// Those whose original transaction the account owns or owned, and those that credited it.
    func transactions(of account: AccountID) throws -> [RecordedTransaction]

    /// What the store told of original transactions without an owner, in no order.
    func unclaimed(of originals: Set<OriginalTransaction.Key>) throws -> [UnclaimedTransaction]
    /// Inserts or replaces by the transaction's key; terms that are recorded stay.
    func write(_ unclaimed: UnclaimedTransaction) throws

    /// Those of receipts that were recorded after `date`, wait, and that the store never answered.
    func provisionalPurchases(of account: AccountID, since date: Date) throws -> [ProvisionalPurchase]
    /// Inserts by ``ProvisionalPurchase/key``.
    ///
    /// - Returns: whether it was; one that was there stays as it was, whoever's it is.
    func write(_ purchase: ProvisionalPurchase) throws -> Bool

    func renewals(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: RenewalFacts]
    func write(_ facts: RenewalFacts, of original: OriginalTransaction.Key) throws
    /// The end of the newest recorded period of each subscription.
    func lastExpirations(of originals: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        Date]
    /// Those of the original transactions on which the App Store answered a question at `date` or later.
    func originalTransactions(among keys: Set<OriginalTransaction.Key>, askedSince date: Date) throws -> Set<
        OriginalTransaction.Key
    >

    /// What brought about the deliveries of these transactions to the account.
    func deliveries(of keys: Set<Transaction.Key>, to account: AccountID) throws -> [Transaction.Key: Delivery.Cause]
    /// Records a delivery. Once per account and transaction; only what a notification brought about is told by a receipt
    /// later.
    func write(_ delivery: Delivery) throws

    /// The credits posted for each product so far, refunds included, spends not.
    func postedCredits(of account: AccountID, in scope: Scope) throws -> [ProductID: Credits]
    /// The refunds that were settled, in no order.
    func refunds(of account: AccountID, in scope: Scope) throws -> [AppliedRefund]
    /// Inserts or replaces by ``AppliedRefund/key``.
    func write(_ refund: AppliedRefund) throws
    /// Appends a posting and changes the balance by it.
    func post(_ posting: Posting) throws
    func balances(of account: AccountID, in scope: Scope) throws -> Credits

    /// The amount, currency and resulting balance that the key stood for.
    func spend(withKey key: String, of account: AccountID, in scope: Scope) throws -> RecordedSpend?
    func write(_ spend: RecordedSpend) throws

    /// Appends to the audit trail, with the hash of the content.
    func append(_ entry: AuditEntry) throws
}
