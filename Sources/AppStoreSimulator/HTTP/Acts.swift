import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// Performs what a request asks for, notifies the app's server, and responds with the newest signed data.
struct Acts: Sendable {
    struct Answer: Encodable {
        var transactionID: TransactionID
        var originalTransactionID: TransactionID
        var signedTransaction: String
        var signedRenewalInfo: String?
        var appReceipt: String?
        var transactionReceipt: String?
        /// The order number in the customer's e-mail; `nil` in the sandbox.
        var orderID: String?
    }

    var counter: Counter
    var notifier: Notifier
    var clock: @Sendable () -> Date

    var now: Date { clock().wholeMilliseconds }

    /// Applies an event to the subscription that the path names.
    func perform(_ act: SubscriptionAct, _ context: StoreRequestContext) async throws -> Response {
        let date = now
        guard let outcome = try await counter.book.perform(act, on: context.id, at: date) else {
            throw Problem.notFound("There is no such subscription.")
        }
        try await notifier.tell(outcome, at: date)
        return try .json(answer(outcome.purchase, at: date))
    }

    /// Changes the transaction that the path names.
    ///
    /// - Parameter reason: `consumptionRequestReason`.
    func change(
        _ context: StoreRequestContext, _ kind: NotificationKind, reason: String? = nil,
        _ body: @Sendable (inout StoredPurchase, Date) throws -> Void
    ) async throws -> Response {
        let date = now
        let before = try await counter.book.purchase(context.id)
        guard let outcome = try await counter.book.change(context.id, { try body(&$0, date) }) else {
            throw Problem.notFound("There is no such transaction.")
        }
        // A refund that stood already, of the same share, is not notified again.
        let isOld = outcome.purchase.transaction.revocation.map { $0.date < date } ?? false
        let isSameShare = before?.revocationPercentage == outcome.purchase.revocationPercentage
        if !(isOld && isSameShare && [.refund, .revoke].contains(kind)) {
            try await notifier.tell(kind, of: outcome.purchase, newest: outcome.newest, reason: reason, at: date)
        }
        return try .json(answer(outcome.purchase, at: date))
    }

    /// - Parameter device: the device that the signed transaction is made for; `nil` for none.
    func answer(_ purchase: StoredPurchase, for device: UUID? = nil, at date: Date) throws -> Answer {
        Answer(
            transactionID: purchase.transaction.id, originalTransactionID: purchase.transaction.originalID,
            signedTransaction: try counter.signedTransaction(purchase, for: device, at: date),
            signedRenewalInfo: try counter.signedRenewalInfo(purchase, at: date))
    }
}

extension StoreRequestContext {
    /// The ID of the transaction that the path names.
    fileprivate var id: TransactionID { TransactionID(stored: parameters.get("id") ?? "") }
}
