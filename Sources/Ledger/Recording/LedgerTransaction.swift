package import Foundation
package import InAppPurchase

/// Reads and writes the rows that the ledger's rules need, inside one database transaction.
///
/// An implementation holds one open transaction; it is used from one thread and not after the transaction ends. Methods
/// take many keys at once, so that a networked database needs one round trip for each step.
package protocol LedgerTransaction {
    /// Returns the account that each ID names. An ID that is no account of this server has no entry.
    func livingAccounts(named ids: Set<AccountID>) throws -> [AccountID: AccountID]
    /// Returns whether the account opened a session, or sent a receipt, after the date.
    func hasBeenUsed(_ account: AccountID, since date: Date) throws -> Bool
    /// Returns whether an administrator made the account a sandbox tester.
    func isTester(_ account: AccountID) throws -> Bool

    /// Returns those that are recorded and not forgotten by a sandbox reset; the same holds for transactions and
    /// deliveries. Each has the first and the newest ``Claim/transfersPerWindow`` of its transfers, so that the cost
    /// does not grow with their number.
    func originalTransactions(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key:
        OriginalTransaction]
    /// Returns those of the original transactions that a ``SupportLedger/resetSandbox(of:app:_:in:)`` forgot and that
    /// nobody has presented since.
    func forgottenOriginalTransactions(among keys: Set<OriginalTransaction.Key>) throws -> Set<OriginalTransaction.Key>
    /// Returns those of the transactions that a sandbox reset forgot and that nobody has presented since.
    func forgottenTransactions(among keys: Set<Transaction.Key>) throws -> Set<Transaction.Key>
    /// Inserts or replaces an original transaction. If it was forgotten, its earlier row no longer counts; the same
    /// holds for transactions and deliveries.
    ///
    /// - Parameter transfers: those of its transfers that are not recorded yet, oldest first.
    func write(_ original: OriginalTransaction, adding transfers: [OriginalTransaction.Transfer]) throws
    /// Credits the transactions of the original transaction to another account from now on. Existing postings stay as
    /// they are.
    func transferCredits(of original: OriginalTransaction.Key, from: AccountID, to: AccountID) throws
    /// Credits one transaction to another account from now on. Existing postings stay as they are.
    func credit(_ transaction: Transaction.Key, to account: AccountID) throws

    /// Returns the original IDs that stand for those of original transactions that ``join(_:to:at:)`` made another one.
    func joinedOriginals(among keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: TransactionID]
    /// Makes the recorded transactions of an original transaction those of another one, which is recorded unless none
    /// of these is. The first one counts no longer.
    func join(_ original: OriginalTransaction.Key, to name: TransactionID, at date: Date) throws

    /// Returns what is recorded of copies of transactions, in one query.
    func recorded(_ copies: [Transaction]) throws -> RecordedCopies
    /// Returns those that are recorded, in no order.
    func transactions(_ keys: Set<Transaction.Key>) throws -> [RecordedTransaction]
    /// Returns all transactions of the purchases that these may be copies of, in no order; see
    /// ``/InAppPurchase/Transaction/PurchaseMark``.
    func copies(of transactions: [Transaction], isPeriod: (Transaction) -> Bool) throws -> [RecordedTransaction]
    /// Returns all transactions of purchases, in no order.
    func transactions(ofPurchases keys: Set<Transaction.Key>) throws -> [RecordedTransaction]
    /// Stores what the copies of a purchase state together beside the one that gave it its name, for reports.
    ///
    /// - Parameter purchase: under the ID of that copy, which is recorded.
    func write(purchase: Transaction) throws
    /// Makes the transactions of a purchase copies of another one.
    func join(_ purchase: Transaction.Key, to name: TransactionID) throws
    /// Inserts or replaces by ``/InAppPurchase/Transaction/key``. The owner is stored with the original transaction and
    /// is not written here.
    func write(_ record: RecordedTransaction) throws
    /// Returns the transactions without terms whose product is now among `products` (by app).
    func transactionsWithoutTerms(of products: [BundleID: Set<ProductID>]) throws -> [RecordedTransaction]
    /// Returns the transactions whose original transaction the account owns or owned, and those that credited it.
    func transactions(of account: AccountID) throws -> [RecordedTransaction]
    /// Returns those of these transactions that are of one product.
    func transactions(of account: AccountID, product: ProductID, in scope: Scope) throws -> [RecordedTransaction]
    /// Returns the transactions of an original transaction that were purchased at `date` or later, in no order.
    func transactions(of original: OriginalTransaction.Key, since date: Date) throws -> [RecordedTransaction]
    /// Returns the newest periods of an original transaction that began before `date`, at most `limit` copies, without
    /// what only added seats.
    func transactions(
        of original: OriginalTransaction.Key, before date: Date, limit: Int
    ) throws -> [RecordedTransaction]
    /// Returns the newest transaction with terms of each product of the original transactions.
    func newestTransactions(ofOriginals keys: Set<OriginalTransaction.Key>) throws -> [RecordedTransaction]

    /// Returns the condensed histories of the accounts. An account has no entry if one of its histories is not
    /// condensed, or not as this version of the server does it.
    func standings(of accounts: Set<AccountID>) throws -> [AccountID: [HistoryID: CondensedHistory]]
    /// Inserts or replaces condensed histories, after which all of the account agree with its transactions.
    ///
    /// - Parameter emptied: those that have no purchase any more.
    func write(
        _ histories: [HistoryID: CondensedHistory], of account: AccountID, removing emptied: Set<HistoryID>) throws
    /// Replaces all condensed histories of the account.
    func replaceStandings(of account: AccountID, by histories: [HistoryID: CondensedHistory]) throws

    /// Records an app transaction that the account showed; the newest copy of one stands.
    ///
    /// - Returns: whether the account is the first that showed this ID, in this very call. An ID belongs to the first
    ///   account of its app and environment for ever; an app transaction without an ID is nobody's first.
    @discardableResult
    func write(_ appTransaction: AppTransaction, shownBy account: AccountID, at date: Date) throws -> Bool
    /// Returns the version in the newest app transaction that the account showed; `nil` if none states one.
    func appVersion(shownBy account: AccountID, in scope: Scope) throws -> String?

    /// Returns the recorded transactions of original transactions without an owner, in no order.
    func unclaimed(of originals: Set<OriginalTransaction.Key>) throws -> [UnclaimedTransaction]
    /// Inserts or replaces by the transaction's key. Terms that are recorded stay.
    func write(_ unclaimed: UnclaimedTransaction) throws

    /// Returns the provisional purchases of receipts that were recorded after `date`, are pending, and about which the
    /// App Store never answered.
    func provisionalPurchases(of account: AccountID, since date: Date) throws -> [ProvisionalPurchase]
    /// Inserts by ``ProvisionalPurchase/key``.
    ///
    /// - Returns: whether it was inserted; an existing one stays as it is, whichever account has it.
    func write(_ purchase: ProvisionalPurchase) throws -> Bool

    func renewals(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: RenewalFacts]
    func write(_ facts: RenewalFacts, of original: OriginalTransaction.Key) throws
    /// Returns the end of the newest recorded period of each subscription.
    func lastExpirations(of originals: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: Date]
    /// Returns those of the original transactions about which the App Store answered a question at `date` or later.
    func originalTransactions(among keys: Set<OriginalTransaction.Key>, askedSince date: Date) throws -> Set<
        OriginalTransaction.Key
    >

    /// Returns the causes of the deliveries of these transactions to the account.
    func deliveries(of keys: Set<Transaction.Key>, to account: AccountID) throws -> [Transaction.Key: Delivery.Cause]
    /// Returns the date when the first of these transactions was delivered to the account; `nil` if none was.
    func firstDelivery(of keys: Set<Transaction.Key>, to account: AccountID) throws -> Date?
    /// Returns whether a recorded notification did not arrive at the store's first attempt to send it, while earlier
    /// ones of its app and environment had arrived.
    func isLate(notification id: String) throws -> Bool
    /// Records a delivery, once per account and transaction. Only the cause of a delivery by a notification is replaced
    /// later, by the first receipt.
    func write(_ delivery: Delivery) throws
    /// Records that a bundle was delivered and its manifest was not requested yet. Does nothing if it was requested, or
    /// is recorded already.
    func write(_ purchase: UnfetchedPurchase) throws

    /// Returns the account's grants that stand at the date, at most ``ProductGrant/maximumStanding``.
    func standingGrants(of account: AccountID, at date: Date) throws -> [RecordedGrant]

    /// Returns the credits posted for each product so far, including refunds, without spends.
    func postedCredits(of account: AccountID, in scope: Scope) throws -> [ProductID: Credits]
    /// Returns the refunds that were applied, in no order.
    func refunds(of account: AccountID, in scope: Scope) throws -> [AppliedRefund]
    /// Returns those of the purchases with these IDs; see ``AppliedRefund/Key/transaction``.
    func refunds(of account: AccountID, in scope: Scope, among ids: Set<TransactionID>) throws -> [AppliedRefund]
    /// Inserts or replaces by ``AppliedRefund/key``.
    func write(_ refund: AppliedRefund) throws
    /// Appends a posting and changes the balance by its amount.
    func post(_ posting: Posting) throws
    func balances(of account: AccountID, in scope: Scope) throws -> Credits

    /// Returns the newest recorded setting of each app.
    func newestStartingCredits() throws -> [BundleID: StartingCredits]
    /// Records the setting of an app for accounts that are created from `date` on. Does nothing if one is recorded with
    /// the date.
    func write(_ setting: StartingCredits, of app: BundleID, since date: Date) throws
    /// Returns the setting that was in force when the account was created; `nil` if there was none, or if the account
    /// got its credits already.
    func ungivenStartingCredits(of account: AccountID, in scope: Scope) throws -> StartingCredits?
    /// Inserts a grant.
    ///
    /// - Returns: whether it was inserted; not if the account has one in the scope, or if another account showed the
    ///   app transaction there.
    func write(_ grant: StartingCreditsGrant) throws -> Bool
    /// Returns the starting credits that the account got, one for each app and environment at most.
    func startingCreditGrants(of account: AccountID) throws -> [StartingCreditsGrant]

    /// Returns the spend recorded with the idempotency key, or `nil`.
    func spend(withKey key: String, of account: AccountID, in scope: Scope) throws -> RecordedSpend?
    func write(_ spend: RecordedSpend) throws

    /// Queues a task for the store, due now. One that waits with the same key is replaced, and is due when it was.
    func write(_ task: StoreTask) throws

    /// Appends a row to the audit trail, with the hash of its content.
    func append(_ entry: AuditEntry) throws
}

/// The rows that a ledger has of transactions whose copies are presented or reported.
package struct RecordedCopies: Sendable {
    /// The recorded ones among the transactions, in no order.
    package var records: [RecordedTransaction]
    /// Those of the copies' original transactions that have an owner.
    package var originals: [OriginalTransaction.Key: OriginalTransaction]
    /// The original transactions without an owner that recorded transactions wait for.
    package var awaited: Set<OriginalTransaction.Key>
    /// The original IDs that stand for those of the copies, which turned out to be of the same original transactions.
    package var joined: [OriginalTransaction.Key: TransactionID] = [:]

    package init(
        records: [RecordedTransaction] = [], originals: [OriginalTransaction.Key: OriginalTransaction] = [:],
        awaited: Set<OriginalTransaction.Key> = []
    ) {
        self.records = records
        self.originals = originals
        self.awaited = awaited
    }
}
