import Foundation
import InAppPurchase

/// Applies events to purchases, and to the copies of the purchaser's family, and notifies the app's server.
struct Performer: Sendable {
    var book: PurchaseBook
    var notifier: Notifier

    /// Applies an act to a subscription, and returns its newest transaction; `nil` if it is unknown, or not a
    /// subscription.
    func perform(_ act: SubscriptionAct, on id: TransactionID, at date: Date) async throws -> ActOutcome? {
        guard let outcome = try await book.perform(act, on: id, at: date) else { return nil }
        try await notifier.tell(outcome, at: date)
        guard let same = act.forFamily else { return outcome }
        for member in outcome.newest.familyOriginals {
            guard let shared = try await book.perform(same, on: member, at: date) else { continue }
            try await notifier.tell(shared, at: date)
        }
        return outcome
    }

    /// Changes one transaction, with all restored copies of it; `nil` if it is unknown.
    ///
    /// - Parameter reason: `consumptionRequestReason`.
    func change(
        _ id: TransactionID, _ kind: NotificationKind, reason: String? = nil, at date: Date,
        _ body: @Sendable (inout StoredPurchase, Date) throws -> Void
    ) async throws -> ActOutcome? {
        let before = try await book.purchase(id)
        if let bought = before?.copyOf {
            guard let outcome = try await change(bought, kind, reason: reason, at: date, body) else { return nil }
            return try await book.purchase(id).map { ActOutcome(purchase: $0, newest: outcome.newest) }
        }
        guard let outcome = try await book.change(id, { try body(&$0, date) }) else { return nil }
        // A refund that stood already, of the same share, is not notified again.
        let isOld = outcome.purchase.transaction.revocation.map { $0.date < date } ?? false
        let isSameShare = before?.revocationPercentage == outcome.purchase.revocationPercentage
        if isOld && isSameShare && [.refund, .revoke].contains(kind) { return outcome }
        // A refund of seats leaves the transaction valid for the others (Apple, revokedSeatQuantity).
        let kind = kind == .refund && outcome.purchase.transaction.revocation == nil ? .refundOfSeats : kind
        try await notifier.tell(kind, of: outcome.purchase, newest: outcome.newest, reason: reason, at: date)
        if kind == .refund { try await revokeFamily(outcome, at: date) }
        return outcome
    }

    /// Ends what the family has of a refunded purchase (Apple, REVOKE); an old period's refund takes nothing from it.
    private func revokeFamily(_ outcome: ActOutcome, at date: Date) async throws {
        guard outcome.purchase.transaction.id == outcome.newest.transaction.id else { return }
        for member in outcome.newest.familyOriginals {
            guard let newest = try await book.outcome(of: member)?.newest else { continue }
            _ = try await change(newest.transaction.id, .revoke, at: date) { $0.refund(at: $1) }
        }
    }
}
