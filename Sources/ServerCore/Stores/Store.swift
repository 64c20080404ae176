package import Foundation
package import InAppPurchase
package import Ledger
package import Logging
package import NIOCore
package import ServerHTTP
package import ServiceLifecycle
package import StoreClient
import Synchronization

/// A store that sells in-app purchases: everything that the server asks of one. `AppStoreServices` is the App Store.
///
/// The retry queue, the routes and the workers know stores by this protocol alone. Errors that a store throws besides
/// the documented ones are its own trouble.
package protocol Store: Sendable {
    /// The name, as it is in the titles of problems.
    var name: String { get }

    // MARK: Recognizing receipts

    /// The maximum size of a receipt in bytes of its text.
    var maximumReceiptSize: Int { get }

    /// The receipt in its plain form, without what other libraries wrap around it or encode it in; `text` itself if it
    /// is plain.
    func unwrapped(_ text: String) -> String

    /// Recognizes a receipt of the store by its form alone; nothing is verified.
    ///
    /// A string of digits only is a transaction ID of the App Store: no ID of another store may ever consist of digits
    /// only.
    ///
    /// - Parameter content: a receipt without a wrapper.
    /// - Returns: `nil` if it is no receipt of the store.
    func recognize(_ content: String) -> RecognizedReceipt?

    /// Whether a string is a transaction ID of the store by its form alone.
    func isTransactionID(_ text: String) -> Bool

    /// How far a receipt of one kind is proof by its own signature.
    func proof(by kind: Receipt.Kind) -> ReceiptProof

    /// Decides, before anything is verified, whether this server verifies a receipt or the store is asked.
    ///
    /// - Parameter device: the device that the request names.
    /// - Throws: ``VerificationUnavailable``
    func plan(
        for receipt: Receipt, from device: SendingDevice, in context: RecordingContext
    ) async throws -> ReceiptPlan

    // MARK: Verifying and asking

    /// Verifies a receipt without asking the store. The result has what the bytes prove by themselves.
    ///
    /// - Parameter device: the device that the request names.
    /// - Throws: ``VerificationUnavailable``
    func verify(
        _ receipt: Receipt, for device: SendingDevice, in context: RecordingContext
    ) async throws -> Result<VerifiedReceipt, ReceiptRejection>

    /// Whether a transaction was signed so long ago that the store should be asked for its present state, if it is not
    /// recorded already.
    func isStale(_ transaction: Transaction, at now: Date) async -> Bool

    /// Whether the store can be asked for facts about the purchases in a receipt.
    func canAsk(about verified: VerifiedReceipt) async -> Bool

    /// Asks the store which transactions of a purchase's original transaction were refunded: they may have other IDs
    /// than the one that is presented.
    ///
    /// - Returns: none if the store does not answer in time, or cannot be asked.
    func refunds(of transaction: Transaction, within time: Duration, at now: Date) async -> [Transaction]

    /// Asks the store about a pending receipt.
    func ask(
        about receipt: Receipt, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<VerifiedReceipt>

    /// Asks the store for what it now knows about the purchases in a receipt of ``ReceiptProof/snapshot``.
    ///
    /// - Parameter verified: what the receipt's signature proves.
    func facts(about verified: VerifiedReceipt, of receipt: Receipt, within time: Duration, at now: Date) async
        -> StoreFacts

    /// The message of the log for a receipt that the store did not verify.
    func message(about trouble: Unavailability) -> Logger.Message

    /// Records the end of an outage of the store.
    var outages: OutageWatch { get }

    // MARK: Notifications

    /// The last part of the path to which the store posts its notifications: `/v1/notifications/<name>`.
    var notificationName: String { get }

    /// The limits of a notification's body.
    ///
    /// - Parameter fromForger: whether its address has forged too many: then larger ones than the store usually sends
    ///   are not read.
    func notificationLimits(fromForger: Bool) -> BodyLimits

    /// Reads and verifies a notification; records nothing.
    ///
    /// - Throws: ``NotificationRejection``, ``VerificationUnavailable``
    func readNotification(_ body: ByteBuffer, in context: RecordingContext) async throws -> ReadNotification

    /// Asks the store about the purchases in a notification that was not verified by itself.
    func ask(
        about notification: AppStoreNotification, within time: Duration, at now: Date
    ) async -> VerificationResult<VerifiedReceipt>

    // MARK: Stored bytes

    /// Reads bytes again that were verified when they were stored.
    ///
    /// - Parameter context: the context of the day on which they were stored.
    /// - Returns: `nil` if they prove nothing by themselves.
    /// - Throws: ``VerificationUnavailable``
    func facts(in item: BackfillPage.Item, in context: RecordingContext) async throws -> VerifiedReceipt?

    // MARK: Orders

    /// The ID of an order as the store writes it, for letters and digits that somebody typed.
    func canonicalOrder(_ text: String) -> String

    /// Asks the store for the transactions of an order; those that it returns name the order.
    ///
    /// - Parameters:
    ///   - order: the ID in the customer's e-mail.
    ///   - apps: asked one after another, until one has the order.
    func transactions(ofOrder order: String, of apps: [BundleID], at now: Date) async -> OrderAnswer

    // MARK: Test notifications

    /// Has the store send a test notification to the address that it has for the app.
    func requestTestNotification(for app: BundleID, in environment: Environment, at now: Date) async
        -> TestNotificationAnswer

    /// The store's result of its last attempt to send a test notification, such as `SUCCESS` or `TIMED_OUT`.
    ///
    /// - Parameter token: the token of the request.
    /// - Returns: `nil` if it has not tried yet, or does not answer.
    func testNotificationResult(_ token: String, for app: BundleID, in environment: Environment, at now: Date) async
        -> String?

    // MARK: Offers

    /// Asks the store for the latest period of each of a customer's subscriptions.
    ///
    /// - Parameter customer: the ID of a transaction, or app transaction, of the customer.
    /// - Returns: none if the store does not answer in time, or cannot be asked.
    func subscriptions(of customer: TransactionID, in scope: Scope, within time: Duration, at now: Date) async
        -> [Transaction]

    /// Signs an offer, so that the app can pass it to the store.
    ///
    /// - Returns: `nil` if the app has no key to sign with.
    /// - Throws: if there is no randomness for the signature.
    func signature(of offer: SubscriptionOffer, by app: BundleID, at now: Date) async throws -> String?

    // MARK: App transactions

    /// Asks the store for the signed app transaction of the customer of a purchase.
    func signedAppTransaction(of purchase: OriginalTransaction.Key, at now: Date) async -> AppTransactionAnswer

    // MARK: Renewal dates

    /// Extends the renewal date of a subscription.
    ///
    /// - Parameters:
    ///   - days: 1 to ``RenewalDates/maximumDays``.
    ///   - requestID: the same again extends nothing, and has the same answer.
    func extendRenewal(of subscription: OriginalTransaction.Key, byDays days: Int, requestID: String, at now: Date)
        async -> ExtensionAnswer

    /// Has the store extend the renewal dates of all active subscribers of a product, which it does in the background.
    ///
    /// - Returns: `nil` if the store does it, and then never twice for one request; otherwise the reason.
    func extendRenewals(_ asked: SubscriberExtension, at now: Date) async -> ExtensionAnswer?

    /// Asks the store how far an extension for all subscribers is.
    ///
    /// - Returns: `nil` if the store does not answer, or knows no such request.
    func progress(of asked: SubscriberExtension, at now: Date) async -> SubscriberExtension.Progress?

    // MARK: Condition

    /// Whether the store answers, and which of the apps may ask it, as far as is known without asking.
    func condition(of apps: [BundleID]) async -> StoreCondition

    // MARK: Work without a request

    /// Fetches notifications that were missed, and asks about subscriptions without an update.
    ///
    /// - Parameter since: `nil` for the time of the last reconciliation.
    /// - Throws: what the ledger throws.
    func reconcile(since: Date?) async throws -> ReconciliationFindings

    /// Does once what the store expects after a delivery, such as answers to its questions about one; reports its own
    /// errors.
    func actAfterDelivery() async

    /// The services that the store needs; they are started before, and stopped after, everything that uses it.
    var services: [any Service] { get }
}

/// A store's answer to the request to extend a subscription's renewal date.
package enum ExtensionAnswer: Sendable {
    /// The new renewal date, and what the store then says about the subscription; `nil` if it did not say it in time.
    case extended(until: Date, VerifiedReceipt?)
    /// The store does not extend it. The string is the store's code and name of the reason.
    case refused(String)
    /// The store knows no such subscription of the app.
    case unknown
    /// The app has no key for the store's API.
    case withoutKey
    /// The store gave no answer. The same request again, with the same ID, extends once.
    case unavailable
}

/// A store's answer to the question about a customer's app transaction.
package enum AppTransactionAnswer: Sendable {
    /// The app transaction, a receipt of the store.
    case signed(String)
    /// The store has none of this customer, or knows no such purchase.
    case none
    /// The app has no key for the store's API.
    case withoutKey
    /// The store gave no answer.
    case unavailable
}

/// A store's answer to the question about the transactions of an order.
package enum OrderAnswer: Sendable {
    /// The transactions of the order.
    case found(VerifiedReceipt)
    /// No app that was asked has such an order.
    case unknown
    /// Nothing was asked: no app has a key for the store's API.
    case withoutKey
    /// The store gave no answer for some app, and none of the others has the order.
    case unavailable
}

/// Records that an endpoint of a store answers again, for the retry worker to see in its next round.
package final class OutageWatch: Sendable {
    private let hasEnded = Atomic(false)

    package init() {}

    package func recordEnd() { hasEnded.store(true, ordering: .relaxed) }

    /// Whether an outage ended since the last call.
    func consumeEnd() -> Bool { hasEnded.exchange(false, ordering: .relaxed) }
}

/// The way in which a receipt is decided about. Each case has the receipt with what the store found in it.
package enum ReceiptPlan: Sendable {
    /// This server verifies it.
    case verify(Receipt)
    /// It is recorded as pending, and the store is asked.
    case ask(Receipt)
    /// It is rejected without asking the store.
    case reject(Receipt, ReceiptRejection)
}

/// How far a receipt of one kind is proof by its own signature, without the store.
package enum ReceiptProof: Hashable, Sendable {
    /// Nothing: the store is asked.
    case nothing
    /// Its signature is good for provisional access; the store decides.
    case provisional
    /// Its signature proves a transaction. The store is asked first if it was signed long ago.
    case transaction
    /// Its signature proves purchases as they were when it was made. If it is old, the store is asked for what it knows
    /// about them now, which is recorded as facts beside it.
    case snapshot
}

/// A receipt whose form a store knows. Nothing is verified.
package struct RecognizedReceipt: Sendable {
    package let kind: Receipt.Kind
    /// See ``/InAppPurchase/Receipt/digest``.
    package let digest: Data
    /// See ``/InAppPurchase/Receipt/textDigest``.
    package let textDigest: Data?

    package init(kind: Receipt.Kind, digest: Data, textDigest: Data?) {
        self.kind = kind
        self.digest = digest
        self.textDigest = textDigest
    }
}
