import Foundation
import InAppPurchase

/// What may happen to a subscription at the store.
enum SubscriptionAct: Hashable, Sendable {
    case renew
    /// The period ends, and nothing follows.
    case expire(ExpirationReason)
    /// Billing failed; access goes on for the billing grace period.
    case grace
    /// Billing failed, and there is no grace period.
    case billingRetry
    /// The grace period is over; the store still tries to bill.
    case gracePeriodExpired
    /// Family Sharing ended.
    case revoke
    /// At once, in place of the current period.
    case upgrade(ProductID, Offer?)
    /// At the next renewal; the current product takes an earlier change back.
    case downgrade(ProductID, CalendarDuration?, Offer?)
    /// An upgrade where the durations are the same, else a downgrade.
    case crossgrade(ProductID, CalendarDuration?)
    /// The customer subscribes again.
    case resubscribe(ProductID?, Offer?)
    /// The next renewal is under the offer; a subscription that has ended starts again under it.
    case redeem(Offer)
    case setAutoRenew(Bool)
    /// The customer is asked for consent, or has given it.
    case priceIncrease(isAccepted: Bool)
    case extend(RenewalExtension)

    /// Billing grace periods are 3, 16 or 28 days, as the app's owner chooses (App Store Connect Help).
    static let gracePeriod: TimeInterval = 16 * 86_400
    /// A gap of up to 60 days does not start a new run (Apple, `recentSubscriptionStartDate`).
    static let maximumGap: TimeInterval = 60 * 86_400

    /// Whether it adds a transaction to the line.
    var startsPeriod: Bool {
        switch self {
        case .renew, .upgrade, .resubscribe: true
        default: false
        }
    }

    /// The act that this one comes to for a subscription as it is.
    func resolved(for current: StoredPurchase, at date: Date) -> SubscriptionAct {
        switch self {
        case .crossgrade(let product, let period):
            let isSameLength = period == nil || period == current.subscription?.period
            return isSameLength ? .upgrade(product, nil) : .downgrade(product, period, nil)
        case .redeem(let offer) where current.status(at: date) != .active: return .resubscribe(nil, offer)
        default: return self
        }
    }
}

extension StoredPurchase {
    /// For the newest of a line. Nil where it is no subscription.
    func status(at date: Date) -> SubscriptionStatus? {
        guard let renewal = subscription?.renewal else { return nil }
        if transaction.revocation != nil { return .revoked }
        if let end = transaction.expirationDate, date < end { return .active }
        guard renewal.isInBillingRetry else { return .expired }
        if let end = renewal.gracePeriodExpirationDate, date < end { return .gracePeriod }
        return .billingRetry
    }
}
