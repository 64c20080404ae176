import Foundation
import InAppPurchase

/// Collects the signed data in responses after verification. An item that cannot be verified is left out and counted,
/// so that one of an unknown kind does not spoil the rest.
struct SignedItems {
    private let verifier: SignedTransactionVerifier
    private let app: BundleID
    private let now: Date
    var environment: Environment
    var appAppleID: Int?
    private var transactions: [TransactionID: Transaction] = [:]
    private var renewals: [OriginalTransaction.Key: RenewalFacts] = [:]
    private var unreadable = 0
    private var firstRejection: ReceiptRejection?
    private var isBusy = false

    init(_ call: AppStoreServerCall, _ environment: Environment, appAppleID: Int? = nil) {
        verifier = SignedTransactionVerifier(signedData: call.client.verifier)
        app = call.key.bundleID
        now = call.now
        self.environment = environment
        self.appAppleID = appAppleID
    }

    /// - Parameters:
    ///   - renewal: signed renewal info; it must belong to the original transaction of `jws`.
    ///   - status: of the subscription.
    mutating func add(_ jws: String, renewal: String? = nil, status: Int? = nil) async {
        do {
            let transaction = try await verifier.verify(jws, apps: [app], expecting: app, at: now)
            guard transaction.environment == environment else {
                throw ReceiptRejection(.environment, "not the environment that was asked")
            }
            transactions[transaction.id, default: transaction].merge(transaction)
            if let renewal { try await add(renewal, status, beside: transaction) }
        } catch let error as ReceiptRejection {
            unreadable += 1
            firstRejection = firstRejection ?? error
        } catch {
            isBusy = true
        }
    }

    mutating func add(_ jws: [String]) async { for jws in jws { await add(jws) } }

    private mutating func add(_ jws: String, _ status: Int?, beside transaction: Transaction) async throws {
        let renewal = try await verifier.verifyRenewalInfo(jws, at: now)
        guard renewal.originalTransactionID == transaction.originalID, renewal.environment == environment else {
            throw ReceiptRejection(.malformed, "renewal info of another subscription")
        }
        if let known = renewals[transaction.originalTransactionKey], known.signedDate >= renewal.facts.signedDate {
            return
        }
        renewals[transaction.originalTransactionKey] = renewal.facts.with(status: status)
    }

    /// - Throws: `temporary` if no item could be verified, since such a response is as good as none, and if an item
    ///   could not be verified now.
    func answer() throws(AppStoreServerError) -> AppStoreAnswer {
        guard !isBusy else { throw .busy }
        if let firstRejection, transactions.isEmpty {
            throw .temporary(
                "nothing in the answer can be verified: \(firstRejection.reason), \(firstRejection.detail)")
        }
        return AppStoreAnswer(
            receipt: VerifiedReceipt(
                transactions: transactions.values.sorted { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) },
                renewals: renewals),
            bundleID: app, appAppleID: appAppleID, environment: environment, unreadableEntries: unreadable)
    }
}
