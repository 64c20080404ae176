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
package protocol Ledger: KeyValueStore {
    /// Returns whether the ledger is empty: no account, no receipt.
    func isEmpty() async throws -> Bool

    // MARK: Accounts. Tokens and codes are known to the ledger by their SHA-256 only.

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

    // MARK: Receipts

    /// Records bytes that could not be parsed as a receipt: only the reason, and their hash and length as far as they
    /// are known, so that invalid input cannot fill the disk.
    ///
    /// - Parameter id: the ID that the client is told, by which the row can be found.
    func recordUnreadable(_ bytes: UnreadableBytes, id: String, reason: String, from account: AccountID, at date: Date)
        async throws

    /// Records a receipt as pending before the App Store is asked, due for the retry worker at `retry`.
    ///
    /// Idempotent: the same receipt of the same account returns what was recorded the first time.
    /// - Parameter isVerified: whether the server verified it by itself. It is then limited by
    ///   ``ReceiptByteBudgets/verified`` alone, so that nobody's forgeries hold up what was paid for.
    /// - Throws: ``LedgerRefusal/tooManyPending`` if the account has ``PendingReceipt/maximumPending`` pending receipts
    ///   already, ``LedgerRefusal/tooManyTransactionIDs`` for a transaction ID if as many of the account, of its
    ///   address or in all are pending as ``PendingReceipt`` says, ``LedgerRefusal/tooManyBytes(_:)`` if a budget of
    ///   ``ReceiptByteBudgets/pending`` is exhausted. Then nothing is recorded.
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
    func record(_ receipt: Receipt, _ result: Result<VerifiedReceipt, ReceiptRejection>, in context: RecordingContext)
        async throws -> ReceiptAnswer

    /// Returns whether a copy of the transaction is recorded.
    func contains(_ transaction: Transaction.Key) async throws -> Bool

    /// Makes every pending receipt due now, after an outage has ended, including those that are due already, so that
    /// they take their turns in the order of their arrival. Those with ``Attempts/areAmbiguous`` keep their retry time.
    func retryPendingNow(at date: Date) async throws

    /// Postpones a pending receipt. Does nothing if it was answered meanwhile.
    func postpone(_ receipt: Receipt, attempts: Attempts, until retry: Date, at date: Date) async throws

    /// Leases pending receipts that are due: of each app, or address, an equal share, in the order in which they
    /// became due. Each is postponed to `lease`, so that no other worker takes it.
    func dueReceipts(in queue: ReceiptQueue, limit: Int, lease: Date, at date: Date) async throws -> [PendingReceipt]

    /// Returns the number and age of pending receipts, for monitoring.
    func pendingReceipts() async throws -> PendingReceipts

    /// Returns the dates of the latest records, for monitoring; of purchases only those from `begin` to `end`.
    func activity(since begin: Date, until end: Date) async throws -> LedgerActivity

    /// Returns the products that were bought in Production and never were in the catalog, the most bought first. Looks
    /// at ``MissingProduct/maximumPurchases`` purchases at most.
    func missingProducts() async throws -> [MissingProduct]

    /// Returns whether a purchase of the app is recorded in any environment, with or without an owner, or a receipt of
    /// it waits. If there is none, all purchases are read, page by page: for an act that is done once.
    func hasPurchases(of app: BundleID) async throws -> Bool

    /// Returns the current answer to a receipt; `nil` if this account sent none with the ID.
    func receipt(_ id: String, of account: AccountID, in context: RecordingContext) async throws -> ReceiptAnswer?

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

    /// Records the starting credits of the catalog's apps where they changed, for the accounts that are created from
    /// now on. Idempotent.
    func recordStartingCredits(in context: RecordingContext) async throws

    /// Posts the credits that the account starts with in an app, once per environment. Receipts and spends do it by
    /// themselves.
    func giveStartingCredits(to account: AccountID, in scope: Scope, _ context: RecordingContext) async throws

    /// Gives terms to transactions that were recorded before the catalog had their product, and delivers them.
    /// - Returns: the number of these transactions.
    func bindTerms(in context: RecordingContext) async throws -> Int

    /// Posts the credits of periods that were paid for ahead and have begun by the context's date, and delivers the
    /// periods. Idempotent.
    /// - Returns: the number of their transactions. A large number takes several calls.
    func creditBegunPeriods(in context: RecordingContext) async throws -> Int

    // MARK: History of a player

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

    // MARK: App receipts
    //
    // Records the App Store's answers about app receipts, and delivers the transactions that need no answer.

    /// Returns the questions to the App Store about a receipt.
    ///
    /// A pending receipt is asked about again, including everything that it would deliver by now.
    ///
    /// - Parameter verified: what the receipt's signature proves.
    func question(
        on receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> AppReceiptQuestion

    /// Records the App Store's answer about a receipt as a notification is recorded: as facts, which neither claim
    /// nor transfer anything. The original transactions of the receipt are not asked about again for
    /// ``AppReceiptQuestion/answerLifetime``.
    func recordAnswer(
        _ facts: VerifiedReceipt, to receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws

    /// Delivers those transactions of a pending receipt that need no answer (all but ``AppReceiptQuestion/waiting``),
    /// while the App Store cannot be asked. The receipt is asked about again at `retry`, whatever was delivered.
    ///
    /// Idempotent: nothing is delivered twice. If the receipt was answered meanwhile, it keeps that answer.
    ///
    /// - Returns: the answer on the whole receipt if none of its transactions has to wait, otherwise `pending`.
    func deliverMeanwhile(
        _ receipt: Receipt, _ verified: VerifiedReceipt, attempts: Attempts, until retry: Date,
        in context: RecordingContext
    ) async throws -> ReceiptAnswer

    // MARK: Lists of receipts
    //
    // Lists receipts of all accounts, for the operator.

    /// Returns receipts of one status by the date when they were recorded, without their bytes.
    ///
    /// - Returns: `nil` if there is no receipt after which the page is to begin.
    func receipts(_ query: ReceiptListQuery) async throws -> [ListedReceipt]?

    // MARK: Reports

    /// Returns some of the transactions that a report reads, in the order of the date that its scan compares.
    ///
    /// - Parameter position: the place after which the page begins; `nil` for the first page.
    func reportPage(_ scan: ReportScan, after position: ReportPage.Position?, limit: Int) async throws -> ReportPage

    /// Returns the stored sums of the days that a report at a date counts, by day, grouped as the report is.
    func storedReportDays(of query: ReportQuery, at date: Date) async throws -> [StoredReportDay]

    /// Leases days whose sums are to be computed: new ones, and those that a change since has touched, unless they were
    /// computed too recently. Other servers get other days until the lease ends.
    ///
    /// - Returns: the days in parts of consecutive days, so that no transaction of another day is read; empty if no
    ///   sums are to be computed.
    func dueReportDays(at date: Date) async throws -> [DueReportDays]

    /// Replaces the sums of days.
    ///
    /// - Parameter due: what was known when their transactions were read; if something changed since, the days are due
    ///   again.
    func store(_ folds: [ReportDayFold], of due: DueReportDays, at date: Date) async throws

    /// Returns the stored credits, receipts and downloads of days, by day.
    func storedActivityDays(
        _ days: ClosedRange<ReportDay>, in environment: Environment
    ) async throws -> [StoredReportDay]

    /// Counts the credits of days in an environment; in Production also receipts and downloads, which belong to no
    /// environment.
    ///
    /// - Parameter limit: the maximum number of rows of each kind that are counted; `nil` for all.
    func activity(
        on days: ClosedRange<ReportDay>, in environment: Environment, limit: Int?
    ) async throws -> ActivityPage

    // MARK: Provisional access
    //
    // Provisional access by receipts that the App Store cannot verify now.

    /// Gives access to the purchases of a pending receipt until the App Store has answered, and at most for
    /// ``RecordingContext/provisionalTime`` from when the receipt was recorded. Each purchase is opened in this way
    /// once, for the first account that presents it.
    ///
    /// Idempotent: the same receipt returns the same date.
    ///
    /// - Parameter verified: what the receipt's own signature proves.
    /// - Returns: the end of the access; `nil` if the receipt gives nothing that the account does not have already.
    func openProvisionally(
        _ receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> Date?

    // MARK: Notifications
    //
    // App Store Server Notifications. Each is recorded and applied exactly once, in any order.

    /// Records a notification and applies its facts, in one commit. One that was fetched before and is delivered now
    /// counts as delivered from now on.
    ///
    /// - Returns: what was observed; `nil` if a notification with its ID was recorded before, and nothing happened.
    func record(_ notification: AppStoreNotification, in context: RecordingContext) async throws -> Observation?

    /// Records a notification whose facts are not verified, as pending: the App Store is to be asked for them from
    /// `retry` on.
    ///
    /// - Returns: whether it is new; a known one stays as it is.
    func enqueue(_ notification: AppStoreNotification, retryAt retry: Date, at date: Date) async throws -> Bool

    /// Leases pending notifications that are due: of each app an equal share, in the order in which they became due.
    /// Each is postponed to `lease`, so that no other worker takes it.
    func dueNotifications(limit: Int, lease: Date, at date: Date) async throws -> [PendingNotification]

    /// Applies the App Store's answer about a pending notification. Idempotent.
    ///
    /// - Parameter facts: `nil` if the App Store will never answer; the notification stays recorded.
    func complete(
        notification id: String, _ facts: VerifiedReceipt?, in context: RecordingContext
    ) async throws -> Observation?

    /// Postpones a pending notification. Does nothing if it was completed meanwhile.
    func postpone(notification id: String, attempts: Attempts, until retry: Date) async throws

    /// Records facts that the App Store was asked for, and delivers.
    ///
    /// - Parameter cause: the reason for asking; stored with the postings.
    func observe(_ facts: VerifiedReceipt, cause: String, in context: RecordingContext) async throws -> Observation

    /// Returns notifications, latest recorded first; at most `limit`.
    ///
    /// - Parameters:
    ///   - app: only those that name the app; `nil` for all.
    ///   - position: of the last one of the previous page; `nil` for the first page.
    func notifications(
        of app: BundleID?, after position: ListedNotification.Position?, limit: Int
    ) async throws -> [ListedNotification]

    /// Returns the date on which the store last sent a notification before a date; `nil` if it sent none. Notifications
    /// that the server fetched do not count.
    ///
    /// - Parameter app: only of those that name the app; `nil` for all.
    func lastDelivery(of app: BundleID?, before date: Date) async throws -> Date?

    // MARK: Backfill
    //
    // Reads stored bytes again for facts that earlier releases did not keep. Servers that share a ledger share the
    // work.

    /// Returns how far the backfill has come.
    func backfillPosition() async throws -> BackfillPosition

    /// Returns the next stored bytes; a page without items is not the last unless its ``BackfillPage/next`` is `done`.
    func backfillPage(after position: BackfillPosition) async throws -> BackfillPage

    /// Merges what was read in a page into what is recorded, and moves the position behind the page, in one commit. So
    /// a server that is killed reads at most one page again.
    ///
    /// - Returns: the number of changed rows; `nil` if another server moved the position from `position` meanwhile, and
    ///   nothing happened.
    func fill(
        _ facts: [VerifiedReceipt], from position: BackfillPosition, to next: BackfillPosition,
        in context: RecordingContext
    ) async throws -> Int?

    // MARK: Room on disk
    //
    // Receipts of earlier releases were stored as they had been sent, each with the same certificates.

    /// Packs the next verified receipts that are stored as they were sent. Each is read back and compared before the
    /// page is committed; so the work can be ended at any time, and continues with what is left.
    ///
    /// - Parameters:
    ///   - last: the ID of the last receipt of the previous page; empty at the beginning.
    ///   - count: the maximum number of receipts that are packed. A page may have none, and others follow.
    func compactReceipts(after last: String, atMost count: Int) async throws -> CompactedReceipts

    /// Returns the space of what was deleted to the file system, if the database does not do that by itself.
    func reclaimSpace() async throws

    // MARK: Subscriptions without a notification
    //
    // Finds subscriptions about which a notification is missing.

    /// Returns subscriptions whose paid period ended, at most ``SubscriptionAwaitingUpdate/window`` ago, without a
    /// statement of the App Store on what became of them: renewed, ended or not paid. Those that ended last come first.
    func subscriptionsAwaitingUpdate(limit: Int, at date: Date) async throws -> [SubscriptionAwaitingUpdate]

    // MARK: Consumption requests
    //
    // The App Store's requests for consumption information about a purchase that the customer wants refunded
    // (CONSUMPTION_REQUEST). The answer contains only what is recorded, and is sent only with the customer's consent.

    /// Records whether the App Store may be told what the account did with its purchases. The app asks its customer
    /// (Apple, "Send Consumption Information": without consent nothing may be sent). Setting the same again changes
    /// nothing.
    func setConsumptionConsent(_ consents: Bool, of account: AccountID, at date: Date) async throws

    /// Leases the requests without an answer that are due, oldest first: each is postponed to `lease`.
    func dueConsumptionRequests(limit: Int, lease: Date, at date: Date) async throws -> [ConsumptionRequest]

    /// Returns the consumption of the purchase as of now; `nil` if the transaction is not recorded with an owner, or if
    /// the account that was credited for it did not consent.
    func consumption(for request: ConsumptionRequest, in context: RecordingContext) async throws -> ConsumptionReport?

    /// Records the outcome of a request: answered, or why not. Idempotent.
    func finish(_ request: ConsumptionRequest, _ outcome: ConsumptionRequest.Outcome, at date: Date) async throws

    // MARK: Store tasks
    //
    // What the store is asked for after a delivery or a transfer. Deliveries and transfers queue it in their own
    // transaction.

    /// Leases the tasks that are due: of each app an equal share, in the order in which they became due. Each is
    /// postponed to `lease`, so that no other worker takes it.
    func dueStoreTasks(limit: Int, lease: Date, at date: Date) async throws -> [StoreTask]

    /// Postpones a task. Does nothing if it was completed, or replaced by one for another owner.
    func postpone(_ task: StoreTask, attempts: Attempts, until retry: Date) async throws

    /// Removes a task from the queue, with a row in the audit trail if the store was asked. If it was replaced by one
    /// for another owner meanwhile, that one stays, and nothing is recorded.
    ///
    /// - Returns: whether it was removed; the second time `false`.
    @discardableResult
    func complete(_ task: StoreTask, _ outcome: StoreTask.Outcome, at date: Date) async throws -> Bool

    // MARK: Unavailable products

    /// Records that the store did not know these products of the catalog, as an app reported from an address. Once for
    /// each product, address and day; within the limits of ``UnavailableProduct``, beyond which nothing is recorded.
    ///
    /// - Parameter address: the keyed hash of the address.
    func recordUnavailable(_ products: [ProductID], of app: BundleID, from address: Data, at date: Date) async throws

    /// Returns the products with enough addresses to be shown, the newest day first; at most
    /// ``UnavailableProduct/maximumListed``.
    ///
    /// - Parameter app: `nil` for all apps.
    func unavailableProducts(of app: BundleID?) async throws -> [UnavailableProduct]

    // MARK: Manifests
    //
    // Records which manifests were issued to which account, and whether their delivery was confirmed.

    /// Returns what decides which manifest of a bundle a player gets, read in one transaction.
    ///
    /// - Returns: `nil` if no open session has the token.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func manifestFacts(_ question: ManifestQuestion, in context: RecordingContext) async throws -> ManifestFacts?

    /// Records that a manifest was issued to an account. There is one delivery for each account and version of a
    /// bundle: within ``ManifestDelivery/quietTime`` of the last time nothing is written but a longer lifetime of the
    /// links, later the count increases. If the version has another manifest, the delivery must be confirmed anew.
    ///
    /// - Parameter id: the ID of the delivery if this is the first time.
    /// - Returns: the delivery's ID.
    func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) async throws -> String

    /// Records that the account has the manifest that it was issued, or that it has another one.
    ///
    /// - Parameter sha256: the SHA-256 of the manifest that the account has.
    /// - Returns: `nil` if the account has no delivery of this ID. The second time the first date.
    func confirmDelivery(
        _ id: String, sha256: String, by account: AccountID, at date: Date
    ) async throws -> DeliveryConfirmation?

    /// Returns issued manifests, oldest first.
    ///
    /// - Parameters:
    ///   - unconfirmed: only those of bundles that the account bought in Production, still has and got no refund for,
    ///     that were not confirmed, and of which it has confirmed no other version since. Nobody paid for open bundles,
    ///     or for what support gave.
    ///   - position: of the last one of the previous page.
    func manifestDeliveries(unconfirmed: Bool, _ filter: DeliveryFilter, after position: DeliveryPosition?, limit: Int)
        async throws -> [ManifestDelivery]

    /// Returns the bundles of purchases that were delivered in Production and whose manifest the owner never requested,
    /// oldest first.
    ///
    /// - Parameter position: of the last one of the previous page.
    func purchasesNeverFetched(
        _ filter: DeliveryFilter, after position: UnfetchedPosition?, limit: Int
    ) async throws -> [UnfetchedPurchase]

    // MARK: Catalog
    //
    // The catalog as numbered revisions, for servers that share a ledger. Append-only: to return to an older revision,
    // its text is added again as the newest.

    /// Returns the newest revision.
    ///
    /// - Parameter number: the number that is known already; `nil` is returned if there is no newer one. 0 is before
    ///   the first.
    func newestCatalogRevision(after number: Int) async throws -> CatalogRevision?

    /// Returns the revision with this number, or `nil` if there is none.
    func catalogRevision(_ number: Int) async throws -> CatalogRevision?

    /// Returns the summaries of the revisions, newest first; at most `limit`.
    ///
    /// - Parameter number: only those before this one; `nil` for all.
    func catalogHistory(before number: Int?, limit: Int) async throws -> [CatalogRevision.Summary]

    /// Adds the revision that follows `number`, and a row of the audit trail, in one commit (compare-and-swap).
    ///
    /// - Parameter entry: the row of the audit trail; its actor and date become those of the revision.
    /// - Returns: the revision, or `nil` if `number` is not the newest because of a concurrent change. Then nothing was
    ///   added.
    func addCatalogRevision(_ text: Data, after number: Int, _ entry: AuditEntry) async throws -> CatalogRevision?

    // MARK: Reports for support
    //
    // Looks up what the ledger knows about an account, for support.

    /// Returns an account with everything that is recorded about it.
    ///
    /// - Parameters:
    ///   - position: of the last purchase of the previous page; `nil` for the newest purchases.
    ///   - limit: the maximum number of entries of each list; the newest are returned.
    ///   - reach: the apps of the administrator's token: the report has their part.
    /// - Returns: `nil` if there is no such account.
    func accountReport(
        of account: AccountID, after position: PurchasePosition?, limit: Int, narrowedTo reach: AdminReach,
        in context: RecordingContext
    ) async throws -> AccountReport?

    /// Returns accounts, newest first.
    ///
    /// - Parameter account: the last account of the previous page; `nil` for the first page.
    /// - Returns: at most `limit`; `nil` if there is no such account.
    func newestAccounts(after account: AccountID?, limit: Int) async throws -> [AccountFacts]?

    /// Returns the accounts that an administrator made testers, latest first.
    ///
    /// - Parameter position: that of the last one of the previous page; `nil` for the first page.
    /// - Returns: at most `limit`.
    func testers(after position: TesterPosition?, limit: Int) async throws -> [AccountFacts]

    /// Returns the purchases that a name stands for, in any app and environment.
    ///
    /// - Returns: `nil` if no transaction is recorded with this order; empty if none is recorded with this ID.
    func purchases(named name: PurchaseName) async throws -> FoundPurchases?

    /// Returns the app that an act of support is about; `nil` if it is about a whole account, and if the receipt, its
    /// app or the grant is not known.
    func app(of request: SupportRequest) async throws -> BundleID?

    /// Returns the newest recorded transaction of an original transaction, by its date of purchase; `nil` if there is
    /// none that has terms.
    func newestTransaction(of original: OriginalTransaction.Key) async throws -> RecordedTransaction?

    /// Returns the account that sent a receipt, including receipts that could not be read; `nil` if there is none with
    /// the ID.
    func account(ofReceipt id: String) async throws -> AccountID?

    // MARK: Acts of administrators
    //
    // Acts of administrators on accounts. Each act is one database transaction, is recorded in the audit trail with the
    // state before and after it, and is idempotent.
    //
    // All throw ``LedgerRefusal/unknownAccount`` if this server has no such account.

    /// Returns what an act would change, and records nothing: it is done in a transaction that is rolled back.
    ///
    /// - Throws: as the act itself.
    func preview(
        _ request: SupportRequest, _ act: SupportAct, in context: RecordingContext
    ) async throws -> SupportChange

    /// Transfers an original transaction to an account, whatever its product's ownership and however often it was
    /// transferred before. Access follows at once; credits stay with the account that they were given to. Afterwards no
    /// player's claim transfers the original transaction, only another act.
    ///
    /// One that nobody presented becomes the account's, with its credits.
    ///
    /// - Returns: the original transaction after the transfer. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction`` if no transaction of it is recorded, or if a sandbox
    ///   reset forgot it.
    func transfer(
        _ original: OriginalTransaction.Key, to account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction

    /// Takes the last transfer of an original transaction back: it belongs to the former owner again, until an
    /// administrator transfers it. Credits stay where they are.
    ///
    /// - Returns: the original transaction afterwards. The second time nothing happens.
    /// - Throws: ``LedgerRefusal/unknownOriginalTransaction``; ``LedgerRefusal/notTransferred`` if it never was.
    func undoTransfer(of original: OriginalTransaction.Key, _ act: SupportAct, in context: RecordingContext)
        async throws -> OriginalTransaction

    /// Gives or takes back credits, once per idempotency key. Taking back more than the balance makes it negative, as a
    /// refund does: credits that are earned later pay the debt.
    ///
    /// - Returns: the balance afterwards; the same again for the same key.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` if the key was used for another amount or currency;
    ///   ``LedgerRefusal/unknownCurrency(named:)`` if neither the app and its products name the currency nor the
    ///   account ever had any of it; then the key stays usable.
    func adjust(_ adjustment: Adjustment, _ act: SupportAct, in context: RecordingContext) async throws -> Int

    /// Gives an account access to a product without a purchase, once per idempotency key: as a purchase of the product
    /// would, but no credits, and counted in no report. Beside a purchase the later end counts. It stays with the
    /// account, whatever is transferred.
    ///
    /// - Returns: the grant; the same again for the same key, even after it ended or was taken back.
    /// - Throws: ``LedgerRefusal/idempotencyKeyReused`` if the key was used for another grant;
    ///   ``LedgerRefusal/unknownProduct``, ``LedgerRefusal/nothingToGrant``, ``LedgerRefusal/grantEnded``,
    ///   ``LedgerRefusal/tooManyGrants``; then the key stays usable.
    func grant(_ grant: ProductGrant, _ act: SupportAct, in context: RecordingContext) async throws -> ProductGrant

    /// Takes a grant back: its access ends at once.
    ///
    /// - Returns: the date since which it is taken back; the second time the first date.
    /// - Throws: ``LedgerRefusal/unknownGrant``.
    func revokeGrant(
        _ id: String, of account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Date

    /// Blocks an account: its tokens and its recovery code are refused with ``LedgerRefusal/accountBlocked(_:)``. It
    /// keeps what it owns, and its pending receipts are still verified and recorded.
    ///
    /// - Returns: the date since which it is blocked; the second time the first date.
    func block(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Unblocks an account: everything is as before. Does nothing if it is not blocked.
    func unblock(_ account: AccountID, _ act: SupportAct) async throws

    /// Makes an account a tester, as the setting `testers` does: sandbox purchases entitle it if the app admits
    /// testers.
    ///
    /// - Returns: the date since which it is one; the second time the first date.
    func addTester(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Reverses ``addTester(_:_:)``. Does nothing if no administrator made the account a tester.
    func removeTester(_ account: AccountID, _ act: SupportAct) async throws

    /// Offers an account the versions on the channel beta too.
    ///
    /// - Returns: the date since which they are offered; the second time the first date.
    func addToBeta(_ account: AccountID, _ act: SupportAct) async throws -> Date

    /// Reverses ``addToBeta(_:_:)``. Does nothing if the account is not on the channel.
    func removeFromBeta(_ account: AccountID, _ act: SupportAct) async throws

    /// Resets the sandbox of a tester, who can then buy everything again: the original transactions that the account
    /// owns in environments other than Production are forgotten, and postings make every balance there zero.
    ///
    /// A forgotten original transaction has no owner. The first account that presents it again gets it as if it were
    /// new; a notification or an answer of the App Store does not restore it. Credits that other accounts got by these
    /// original transactions are taken back too.
    ///
    /// - Parameter app: `nil` for all apps.
    /// - Returns: the number of original transactions that were forgotten; the second time 0.
    func resetSandbox(of account: AccountID, app: BundleID?, _ act: SupportAct, in context: RecordingContext)
        async throws -> Int

    /// Ends every session of an account permanently. Its recovery code opens new ones.
    ///
    /// - Returns: the number of sessions that were open; the second time 0.
    func revokeSessions(of account: AccountID, _ act: SupportAct) async throws -> Int

    /// Replaces the recovery code of an account whose player lost it. The old code stops working at once; sessions stay
    /// open.
    ///
    /// - Parameter digest: the SHA-256 of the new code.
    func setRecoveryCode(of account: AccountID, digest: Data, _ act: SupportAct) async throws

    /// Makes a receipt that waits for the App Store due now, whatever the App Store answered before.
    ///
    /// - Returns: the receipt; if it does not wait, or is due already, nothing changes.
    /// - Throws: ``LedgerRefusal/unknownReceipt``.
    func retryReceipt(_ id: String, _ act: SupportAct) async throws -> ReceiptFacts

    // MARK: Admin tokens
    //
    // The admin tokens, including revoked ones.

    /// Creates a token.
    ///
    /// - Parameter digest: the SHA-256 of the token.
    /// - Throws: ``LedgerRefusal/nameTaken`` if a token of this name is in force.
    func createAdminToken(_ token: AdminToken, digest: Data, by actor: AuditActor) async throws

    /// Returns the token in force with this SHA-256, or `nil`.
    func adminToken(digest: Data) async throws -> AdminToken?

    /// Returns the token in force with this name, or `nil`.
    func adminToken(named name: String) async throws -> AdminToken?

    /// Returns all tokens, oldest first, including revoked ones.
    func adminTokens() async throws -> [AdminToken]

    /// Revokes the token of this name.
    /// - Returns: whether one was in force; the second time `false`.
    func revokeAdminToken(named name: String, by actor: AuditActor, at date: Date) async throws -> Bool

    // MARK: Audit trail
    //
    // The audit trail: every receipt, decision and administrator's act, in the order in which they were committed.
    // Append-only.

    /// Appends an event outside the ledger, such as a change of the catalog. Durable when it returns.
    func append(_ entry: AuditEntry) async throws

    /// Returns the rows that a filter selects with a greater sequence number than `sequence`, oldest first; at most
    /// `limit`, of at most ``AuditFilter/maximumLookedAt`` that are looked at.
    func auditRows(matching filter: AuditFilter, after sequence: Int, limit: Int) async throws -> AuditRowPage

    /// Returns the rows that a filter selects with a smaller sequence number than `sequence`, newest first; otherwise
    /// as ``auditRows(matching:after:limit:)``.
    ///
    /// - Parameter sequence: `nil` for the newest rows.
    func newestAuditRows(matching filter: AuditFilter, before sequence: Int?, limit: Int) async throws -> AuditRowPage

    /// Erases the content of rows, whose hashes stay, and appends a row that names them (``ErasedRows``): a check
    /// reports contents that are missing and that no row names. An account's many rows take several transactions, each
    /// with a row that names what it erased.
    ///
    /// - Returns: the number of rows concerned; the second time 0 for an account, and no further row is appended.
    /// - Throws: ``ErasureRefusal``; then nothing is erased.
    func eraseContent(_ choice: ErasureChoice, _ act: SupportAct) async throws -> ErasureOutcome

    // MARK: Seals of the audit trail
    //
    // The hash chain over the audit trail: one sealer at a time links each row to the one before, and signs
    // checkpoints.
    //
    // Writers append rows with their content's hash only, so that they never wait for each other because of the chain.

    /// Seals rows that have no seal yet, oldest first, in one transaction. Of several concurrent sealers one does it.
    ///
    /// The highest sequence number that was sealed is stored apart from the rows. If the trail ends before it when
    /// further rows are sealed, its end was cut off: a row of kind ``AuditEntry/Kind/trailCut`` is appended, which
    /// stays, and no check passes any more.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows.
    ///   - date: the current date, for a row that records a cut.
    ///   - seal: makes a row's seal from the previous one; `nil` for the very first row.
    /// - Returns: the number of rows that were sealed; if 0, nothing changed.
    func sealRows(atMost limit: Int, at date: Date, _ seal: @escaping @Sendable (AuditRow, Seal?) throws -> Seal)
        async throws -> Int

    /// Adds a checkpoint of the newest seal, in one transaction.
    ///
    /// - Parameter sign: is given the newest seal and the newest checkpoint, and returns `nil` if no checkpoint is due.
    ///   Not called if the newest seal has a checkpoint already, or if nothing is sealed.
    /// - Returns: the checkpoint that was added, or `nil`.
    func addCheckpoint(
        _ sign: @escaping @Sendable (Seal, Checkpoint?) throws -> Checkpoint?
    ) async throws -> Checkpoint?

    /// Reads the trail in one consistent snapshot, item by item, so that a trail of millions of rows is never in memory
    /// as a whole.
    ///
    /// The sealed rows come in the order of their seals, each checkpoint after the seal it names, then the rows without
    /// a seal, and finally ``TrailItem/end(highest:)``.
    ///
    /// - Parameters:
    ///   - sequence: only rows with a greater sequence number are read, and ``TrailItem/beginning(after:)`` tells the
    ///     position of the chain before them; 0 for all rows.
    ///   - initial: the initial result, which `take` updates with every item.
    /// - Throws: ``TrailError`` if a row cannot have been written by this server, and what `take` throws.
    func readTrail<Result: Sendable>(
        after sequence: Int, into initial: Result, _ take: @escaping @Sendable (inout Result, TrailItem) throws -> Void
    ) async throws -> Result

    // MARK: Checks
    //
    // Compares a ledger's stored results, such as balances, with the fold of its history. The history is folded again
    // by the same rules.

    /// Checks all accounts in one consistent snapshot, one after another, so that memory use does not grow with their
    /// number.
    ///
    /// - Parameters:
    ///   - date: for handlers whose credits depend on the time.
    ///   - progress: called after every account, and once before the first, with the number that were checked and the
    ///     total.
    ///   - report: called with each difference as it is found.
    /// - Returns: how much was checked.
    func checkAccounts(
        at date: Date, progress: @escaping @Sendable (_ accounts: Int, _ total: Int) -> Void,
        _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts

    /// Sets every balance to the sum of its postings, in one transaction, with a row in the audit trail for each
    /// balance that was different.
    ///
    /// - Returns: the number of balances that were different; the second time 0.
    func rebuildBalances(by actor: AuditActor, at date: Date) async throws -> Int

    /// Returns the periods that an earlier version counted more than once, by account, at most `limit`.
    func doubledPeriods(limit: Int) async throws -> [DoubledPeriod]

    /// Counts each of ``doubledPeriods(limit:)`` once, and takes back what it earned too often, as postings of the kind
    /// ``Posting/Kind/correction``. One transaction an account: it can be stopped, and run again.
    ///
    /// - Parameter report: called for each period before it is counted once.
    /// - Returns: the number of the periods; the second time 0.
    func repairPeriods(at date: Date, _ report: @escaping @Sendable (DoubledPeriod) throws -> Void) async throws -> Int

    /// Calls `report` for each purchase that an earlier version left with its former owner, though another account paid
    /// for its newest period.
    ///
    /// - Returns: their number.
    func misplacedPurchases(_ report: @escaping @Sendable (MisplacedPurchase) throws -> Void) async throws -> Int

    /// Looks for ``misplacedPurchases(_:)`` among the next original transactions, and adds them to
    /// ``misplacedPurchaseCount()``, in one commit: servers that share a ledger share the work, and go on where one was
    /// stopped.
    ///
    /// - Parameter limit: the number of original transactions to look at.
    /// - Returns: whether some are left; after the last one nothing is looked at again.
    func countMisplacedPurchases(inNext limit: Int) async throws -> Bool

    /// Returns the number of purchases that ``countMisplacedPurchases(inNext:)`` has found so far, or that were set.
    func misplacedPurchaseCount() async throws -> Int

    /// Sets the number of ``misplacedPurchases(_:)``, which ends the counting.
    func setMisplacedPurchaseCount(_ count: Int) async throws

    /// Gives each of ``misplacedPurchases(_:)`` to the account that paid. The credits of periods that no app was told
    /// of go with it, as postings of the kind ``Posting/Kind/correction``. One transaction a purchase: it can be
    /// stopped, and run again. Then none is left, as ``misplacedPurchaseCount()`` tells.
    ///
    /// - Parameter report: called for each before it is given.
    /// - Returns: their number; the second time 0.
    func repairOwners(
        at date: Date, _ report: @escaping @Sendable (MisplacedPurchase) throws -> Void
    ) async throws -> Int

    /// Condenses the histories of all accounts from all their purchases, and stores those that are not stored or
    /// differ. Accounts whose handlers do not condense are left out.
    ///
    /// - Returns: the number of accounts whose histories were stored; the second time 0.
    func rebuildStandings(at date: Date) async throws -> Int

    /// Makes the sums of all days due; until they are computed, reports use what was stored.
    ///
    /// - Returns: the number of days.
    func remakeReportDays(at date: Date) async throws -> Int
}

extension Ledger {
    /// Returns an account with everything that is recorded about it in every app.
    package func accountReport(
        of account: AccountID, after position: PurchasePosition?, limit: Int, in context: RecordingContext
    ) async throws -> AccountReport? {
        try await accountReport(of: account, after: position, limit: limit, narrowedTo: .everything, in: context)
    }

    /// Returns rows with a smaller sequence number than `sequence`, newest first; at most `limit`.
    ///
    /// - Parameters:
    ///   - account: the account that the rows are about; `nil` for all rows, with or without one.
    ///   - sequence: that of the last row of the previous page; `nil` for the newest rows.
    package func newestAuditRows(of account: AccountID?, before sequence: Int?, limit: Int) async throws -> [AuditRow] {
        try await newestAuditRows(matching: AuditFilter(account: account), before: sequence, limit: limit).rows
    }

    /// Checks all accounts without reporting progress.
    package func checkAccounts(
        at date: Date, _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        try await checkAccounts(at: date, progress: { _, _ in }, report)
    }
}
