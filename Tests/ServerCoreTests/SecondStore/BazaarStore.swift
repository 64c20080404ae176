import Basics
import Crypto
import Foundation
import InAppPurchase
import Ledger
import Logging
import NIOCore
import NIOFoundationCompat
import ServerTestSupport
import ServiceLifecycle
import StoreClient
import Synchronization

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// A second store, to show that nothing outside of the App Store's folder is Apple's own: it signs with Ed25519, its
/// receipts are `bazaar1.PAYLOAD.SIGNATURE` or the bare code of a purchase, and no ID of it is a number.
struct BazaarStore: Store {
    /// The purchases that it answers about, and whether it answers.
    final class Book: Sendable {
        struct State {
            var purchases: [String: BazaarPurchase] = [:]
            var isOpen = true
            /// The orders that it was asked about.
            var asked: [String] = []
        }

        private let state = Mutex(State())

        func update<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
            state.withLock(body)
        }
    }

    private static let prefix = "bazaar1"

    let key = Curve25519.Signing.PrivateKey()
    let book = Book()
    let outages = OutageWatch()
    let services: [any Service] = []

    var name: String { "Bazaar" }
    var maximumReceiptSize: Int { 4_096 }
    var notificationName: String { "bazaar" }

    /// A purchase as the store signs it.
    func signed(_ purchase: BazaarPurchase) throws -> String {
        let payload = try JSONEncoder().encode(purchase)
        return [Self.prefix, payload.base64URL, try key.signature(for: payload).base64URL].joined(separator: ".")
    }

    private func read(_ text: String, in context: RecordingContext) throws(ReceiptRejection) -> BazaarPurchase {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map {
            Data(base64URL: $0.utf8)
        }
        guard parts.count == 2, let payload = parts.first ?? nil, let signature = parts.last ?? nil else {
            throw ReceiptRejection(.malformed)
        }
        guard key.publicKey.isValidSignature(signature, for: payload) else { throw ReceiptRejection(.signature) }
        guard let purchase = try? JSONDecoder().decode(BazaarPurchase.self, from: payload) else {
            throw ReceiptRejection(.malformed)
        }
        guard context.catalog.app(BundleID(stored: purchase.game)) != nil else { throw ReceiptRejection(.bundleID) }
        return purchase
    }
}

// MARK: Receipts

extension BazaarStore {
    func unwrapped(_ text: String) -> String { text }

    func recognize(_ content: String) -> RecognizedReceipt? {
        let digest = Data(SHA256.hash(data: Data(content.utf8)))
        if content.hasPrefix(Self.prefix + ".") {
            return RecognizedReceipt(kind: .signedTransaction, digest: digest, textDigest: nil)
        }
        guard isTransactionID(content) else { return nil }
        return RecognizedReceipt(kind: .transactionID, digest: digest, textDigest: nil)
    }

    func isTransactionID(_ text: String) -> Bool {
        text.hasPrefix("bz") && text.utf8.count < 40
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isWholeNumber) }
    }

    func proof(by kind: Receipt.Kind) -> ReceiptProof { kind == .signedTransaction ? .transaction : .nothing }

    func plan(
        for receipt: Receipt, from device: SendingDevice, in context: RecordingContext
    ) async throws -> ReceiptPlan {
        receipt.kind == .signedTransaction ? .verify(receipt) : .ask(receipt)
    }

    func verify(
        _ receipt: Receipt, for device: SendingDevice, in context: RecordingContext
    ) async throws -> Result<VerifiedReceipt, ReceiptRejection> {
        do throws(ReceiptRejection) {
            let transaction = try read(receipt.content, in: context).transaction
            let evidence = PresentedEvidence(
                date: transaction.signedDate, transactions: [transaction.id], isForDevice: false,
                deviceRemedy: .freshReceipt)
            return .success(VerifiedReceipt(transactions: [transaction], evidence: evidence))
        } catch {
            return .failure(error)
        }
    }

    func isStale(_ transaction: Transaction, at now: Date) async -> Bool { false }

    func canAsk(about verified: VerifiedReceipt) async -> Bool { true }

    func ask(
        about receipt: Receipt, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<VerifiedReceipt> {
        let (isOpen, purchase) = book.update { ($0.isOpen, $0.purchases[receipt.content]) }
        guard isOpen else { return .unavailable(Unavailability(.temporary, "closed")) }
        guard let purchase else { return .rejected(ReceiptRejection(.notFound)) }
        return .verified(VerifiedReceipt(transactions: [purchase.transaction]))
    }

    func facts(
        about verified: VerifiedReceipt, of receipt: Receipt, within time: Duration, at now: Date
    ) async -> StoreFacts { StoreFacts(result: .verified(verified)) }

    func facts(in item: BackfillPage.Item, in context: RecordingContext) async throws -> VerifiedReceipt? {
        guard case .receipt(let receipt, _) = item else { return nil }
        return try await verify(receipt, for: SendingDevice(), in: context).get()
    }

    func message(about trouble: Unavailability) -> Logger.Message { "the Bazaar is closed" }
}

// MARK: Notifications and questions

extension BazaarStore {
    func notificationLimits(fromForger: Bool) -> BodyLimits { .small }

    func readNotification(_ body: ByteBuffer, in context: RecordingContext) async throws -> ReadNotification {
        let text = String(buffer: body)
        do {
            let purchase = try read(text, in: context)
            let notification = AppStoreNotification(
                id: "bazaar/\(purchase.code)/\(purchase.stated.milliseconds)",
                type: purchase.takenBack == nil ? "SOLD" : "TAKEN_BACK", app: purchase.transaction.app,
                environment: .production, signedDate: purchase.stated, content: text,
                facts: VerifiedReceipt(transactions: [purchase.transaction]))
            return ReadNotification(notification: notification, version: 1, isVerified: true)
        } catch {
            throw NotificationRejection(rejection: error, version: 1)
        }
    }

    func ask(
        about notification: AppStoreNotification, within time: Duration, at now: Date
    ) async -> VerificationResult<VerifiedReceipt> { .verified(notification.facts) }

    func canonicalOrder(_ text: String) -> String { text }

    func transactions(ofOrder order: String, of apps: [BundleID], at now: Date) async -> OrderAnswer {
        let found = book.update { state in
            state.asked.append(order)
            return state.purchases.values.filter { $0.order == order }.map(\.transaction)
        }
        return found.isEmpty ? .unknown : .found(VerifiedReceipt(transactions: found))
    }

    func requestTestNotification(
        for app: BundleID, in environment: InAppPurchase.Environment, at now: Date
    ) async -> TestNotificationAnswer { .refused(.noURL, "none") }

    func testNotificationResult(
        _ token: String, for app: BundleID, in environment: InAppPurchase.Environment, at now: Date
    ) async -> String? { nil }

    func subscriptions(
        of customer: TransactionID, in scope: Scope, within time: Duration, at now: Date
    ) async -> [Transaction] { [] }

    func signature(of offer: SubscriptionOffer, by app: BundleID, at now: Date) async throws -> String? { nil }

    func extendRenewal(
        of subscription: OriginalTransaction.Key, byDays days: Int, requestID: String, at now: Date
    ) async -> ExtensionAnswer { .withoutKey }

    func signedAppTransaction(of purchase: OriginalTransaction.Key, at now: Date) async -> AppTransactionAnswer {
        .withoutKey
    }

    func refunds(of transaction: Transaction, within time: Duration, at now: Date) async -> [Transaction] { [] }

    func extendRenewals(_ asked: SubscriberExtension, at now: Date) async -> ExtensionAnswer? { .withoutKey }

    func progress(of asked: SubscriberExtension, at now: Date) async -> SubscriberExtension.Progress? { nil }

    func condition(of apps: [BundleID]) async -> StoreCondition {
        StoreCondition(interfaces: [], appsWithKey: Set(apps))
    }

    func reconcile(since: Date?) async throws -> ReconciliationFindings { ReconciliationFindings() }

    func actAfterDelivery() async {}
}
