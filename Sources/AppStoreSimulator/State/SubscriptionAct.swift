import Foundation
import InAppPurchase

/// An event of a subscription.
enum SubscriptionAct: Hashable, Sendable {
    case renew
    /// The period ends, and no other follows.
    case expire(ExpirationReason)
    /// Billing failed; access continues for the billing grace period.
    case grace
    /// Billing failed, and there is no grace period.
    case billingRetry
    /// The grace period is over; the App Store still tries to bill.
    case gracePeriodExpired
    /// Family Sharing ended.
    case revoke
    /// An upgrade: at once, in place of the current period.
    case upgrade(ProductID, Offer?)
    /// A downgrade at the next renewal; to the current product it cancels an earlier change.
    case downgrade(ProductID, CalendarDuration?, Offer?)
    /// A crossgrade: an upgrade if the durations are the same, otherwise a downgrade.
    case crossgrade(ProductID, CalendarDuration?)
    /// The customer subscribes again.
    case resubscribe(ProductID?, Offer?)
    /// The next renewal is under the offer; a subscription that has ended starts again under it.
    case redeem(Offer)
    case setAutoRenew(Bool)
    /// The customer is asked for consent, or has given it.
    case priceIncrease(isAccepted: Bool)
    case extend(RenewalExtension)

    /// The billing grace period in seconds: 3, 16 or 28 days, as the app's owner chooses (App Store Connect Help).
    static let gracePeriod: TimeInterval = 16 * 86_400
    /// A gap of up to 60 days, in seconds, does not start a new run (Apple, `recentSubscriptionStartDate`).
    static let maximumGap: TimeInterval = 60 * 86_400

    /// Whether it adds a transaction to the original transaction.
    var startsPeriod: Bool {
        switch self {
        case .renew, .upgrade, .resubscribe: true
        default: false
        }
    }

    /// The act that takes its place for a subscription in this state.
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
    /// The status of the newest transaction of an original transaction; `nil` if it is not a subscription.
    func status(at date: Date) -> SubscriptionStatus? {
        guard let renewal = subscription?.renewal else { return nil }
        if transaction.revocation != nil { return .revoked }
        if let end = transaction.expirationDate, date < end { return .active }
        guard renewal.isInBillingRetry else { return .expired }
        if let end = renewal.gracePeriodExpirationDate, date < end { return .gracePeriod }
        return .billingRetry
    }
}
