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

    var performer: Performer
    var counter: Counter
    var clock: @Sendable () -> Date

    var now: Date { clock().wholeMilliseconds }
    var notifier: Notifier { performer.notifier }

    /// Applies an event to the subscription that the path names.
    func perform(_ act: SubscriptionAct, _ context: StoreRequestContext) async throws -> Response {
        let date = now
        guard let outcome = try await performer.perform(act, on: context.id, at: date) else {
            throw SimulatorProblem.notFound("There is no such subscription.")
        }
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
        guard let outcome = try await performer.change(context.id, kind, reason: reason, at: date, body) else {
            throw SimulatorProblem.notFound("There is no such transaction.")
        }
        return try .json(answer(outcome.purchase, at: date))
    }

    /// The purchase in every form of receipt.
    func purchaseAnswer(_ purchase: StoredPurchase, for device: UUID?, at date: Date) async throws -> Response {
        var answer = try answer(purchase, for: device, at: date)
        answer.appReceipt = try await counter.appReceipt(of: purchase.customer, for: device, at: date)
        answer.orderID = purchase.orderID
        answer.transactionReceipt = try await counter.transactionReceipt(purchase)
        return try .json(answer, status: .created)
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
    var id: TransactionID { TransactionID(stored: parameters.get("id") ?? "") }
}
