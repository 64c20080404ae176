import Foundation
import InAppPurchase

/// What may happen to a subscription at the store.
enum SubscriptionAct: Hashable, Sendable {
    case renew
    /// The customer cancelled; the period ends.
    case expire
    /// Billing failed; access goes on for the billing grace period.
    case grace
    /// Billing failed, and there is no grace period.
    case billingRetry
    /// Family Sharing ended.
    case revoke
    case upgrade(ProductID)

    /// Billing grace periods are 3, 16 or 28 days, as the app's owner chooses (App Store Connect Help).
    static let gracePeriod: TimeInterval = 16 * 86_400
    /// A gap of up to 60 days does not start a new run (Apple, `recentSubscriptionStartDate`).
    static let longestGap: TimeInterval = 60 * 86_400

    /// Whether it adds a transaction to the line.
    var startsPeriod: Bool {
        switch self {
        case .renew, .upgrade: true
        case .expire, .grace, .billingRetry, .revoke: false
        }
    }
}

extension StoredPurchase {
    /// Ends the current period now, as the act says; an upgrade marks it as replaced, a renewal leaves it as it is.
    mutating func apply(_ act: SubscriptionAct, at date: Date) {
        guard act != .renew, var subscription else { return }
        transaction.expirationDate = date
        var renewal = RenewalFacts(
            willAutoRenew: true, autoRenewProductID: transaction.productID, signedDate: date)
        switch act {
        case .renew: break
        case .expire: (renewal.willAutoRenew, renewal.expirationReason) = (false, ExpirationReason.cancelled)
        case .grace:
            renewal.isInBillingRetry = true
            renewal.gracePeriodExpirationDate = date + SubscriptionAct.gracePeriod
        case .billingRetry:
            (renewal.isInBillingRetry, renewal.expirationReason) = (true, ExpirationReason.billingError)
        case .revoke:
            renewal.willAutoRenew = false
            transaction.revocation = transaction.revocation ?? Transaction.Revocation(date: date, reason: 0)
        case .upgrade: transaction.isUpgraded = true
        }
        subscription.renewal = renewal
        self.subscription = subscription
    }

    /// Refunds it. The second time changes nothing: the first date stands.
    mutating func refund(at date: Date) {
        guard transaction.revocation == nil else { return }
        transaction.revocation = Transaction.Revocation(date: date, reason: 0)
        subscription?.renewal.willAutoRenew = false
        subscription?.renewal.signedDate = date
    }

    /// The transaction that follows in the line, its period starting now. Nil where this is no subscription.
    func successor(
        id: TransactionID, webOrderLineItemID: String, upgradedTo product: ProductID?, at date: Date
    ) -> StoredPurchase? {
        guard let subscription else { return nil }
        let gap = date.timeIntervalSince(transaction.expirationDate ?? date)
        var next = self
        next.transaction.id = id
        next.transaction.productID = product ?? transaction.productID
        next.transaction.purchaseDate = date
        next.transaction.expirationDate = subscription.period.end(from: date)
        (next.transaction.revocation, next.transaction.isUpgraded) = (nil, false)
        (next.recordedDate, next.isRenewal) = (date, product == nil)
        next.number = number.saturatingAdding(1)
        next.subscription = Subscription(
            webOrderLineItemID: webOrderLineItemID, period: subscription.period,
            recentStartDate: gap > SubscriptionAct.longestGap ? date : subscription.recentStartDate,
            renewal: RenewalFacts(
                willAutoRenew: true, autoRenewProductID: next.transaction.productID, signedDate: date))
        return next
    }
}

/// `expirationIntent`.
enum ExpirationReason {
    static let cancelled = 1
    static let billingError = 2
}
