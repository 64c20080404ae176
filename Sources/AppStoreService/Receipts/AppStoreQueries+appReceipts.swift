import AppStore
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StoreClient

extension AppStoreQueries {
    /// The most recently changed transactions come first, 20 on a page: no honest customer has more changes since a
    /// receipt that is still sent.
    static let maximumHistoryPages = 10

    /// Whether the App Store can be asked about an app: it has a key for the App Store Server API, or a shared secret.
    func canAsk(about app: BundleID) async -> Bool {
        if secret(app) != nil { return true }
        return await keys.key(for: app) != nil
    }

    /// Whether the App Store can be asked about a receipt. Purchases in Xcode's environment are not known to it.
    func canAsk(about receipt: VerifiedReceipt) async -> Bool {
        guard let shown = receipt.transactions.first, shown.environment != .xcode else { return false }
        return await canAsk(about: shown.app)
    }

    /// Returns what the App Store now knows about the customer of an app receipt: by the App Store Server API if the
    /// app has a key, otherwise by `verifyReceipt`.
    ///
    /// - Parameter verified: what the receipt's signature proves.
    func facts(
        about verified: VerifiedReceipt, of receipt: Receipt, within time: Duration, at now: Date
    ) async -> AppReceiptFacts {
        let newest = verified.transactions.max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        guard let newest else { return AppReceiptFacts(.rejected(ReceiptRejection(.notFound, "a receipt of nothing"))) }
        guard let key = await keys.key(for: newest.app) else {
            let result = await verifyReceipt.verify(receipt.content, secret: secret(newest.app), within: time, at: now)
            return AppReceiptFacts(result.of(newest.app, newest.environment))
        }
        let call = api.asking(for: key, in: newest.environment, within: time, at: now)
        let hasSubscriptions = verified.transactions.contains { $0.expirationDate != nil }
        return await facts(about: newest.id, call, hasSubscriptions: hasSubscriptions)
    }

    /// The customer's most recently changed transactions, and the renewals of their subscriptions.
    private func facts(
        about id: TransactionID, _ call: AppStoreServerCall, hasSubscriptions: Bool
    ) async -> AppReceiptFacts {
        var filter = HistoryFilter()
        filter.order = .descending
        do throws(AppStoreServerError) {
            let history = try await call.history(of: id, matching: filter, upTo: Self.maximumHistoryPages)
            if let interruption = history.interruption {
                return AppReceiptFacts(.unavailable(interruption), partial: history.answer)
            }
            guard hasSubscriptions else { return AppReceiptFacts(.verified(history.answer)) }
            return await withSubscriptions(of: id, history.answer, call)
        } catch {
            return AppReceiptFacts(error.result)
        }
    }

    /// Adds the customer's subscriptions to their history, which is an answer by itself if there are none.
    private func withSubscriptions(
        of id: TransactionID, _ history: AppStoreAnswer, _ call: AppStoreServerCall
    ) async -> AppReceiptFacts {
        var answer = history
        do throws(AppStoreServerError) {
            let subscriptions = try await call.subscriptions(of: id).receipt
            answer.receipt.transactions += subscriptions.transactions
            answer.receipt.renewals = subscriptions.renewals
            return AppReceiptFacts(.verified(answer))
        } catch {
            guard case .unavailable(let trouble) = error.result else { return AppReceiptFacts(.verified(history)) }
            return AppReceiptFacts(.unavailable(trouble), partial: history)
        }
    }
}

extension VerificationResult<AppStoreAnswer> {
    /// The result if it is about this app and environment; an answer about another one proves nothing.
    fileprivate func of(_ app: BundleID, _ environment: InAppPurchase.Environment) -> Self {
        guard case .verified(let answer) = self, answer.bundleID != app || answer.environment != environment else {
            return self
        }
        return .unavailable(Unavailability(.temporary, "an answer about another app or environment"))
    }
}

/// The App Store's answers to the questions about the customer of an app receipt.
struct AppReceiptFacts: Sendable {
    var result: VerificationResult<AppStoreAnswer>
    /// The answers from before a question failed, if ``result`` is `unavailable`; `nil` if there are none.
    var partial: AppStoreAnswer?

    init(_ result: VerificationResult<AppStoreAnswer>, partial: AppStoreAnswer? = nil) {
        self.result = result
        self.partial = partial
    }
}
