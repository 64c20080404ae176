import Foundation
import InAppPurchase

extension StoredPurchase {
    /// The next event that happens by itself to the subscription whose newest transaction this is; `nil` for none.
    var nextEvent: (act: SubscriptionAct, date: Date)? {
        guard let subscription, subscription.renewsByItself, transaction.revocation == nil,
            let end = transaction.expirationDate
        else { return nil }
        let renewal = subscription.renewal
        if renewal.isInBillingRetry { return troubleEvent(subscription, since: subscription.retryStart ?? end) }
        guard renewal.expirationReason == nil else { return nil }
        return (actAtEnd(subscription), end)
    }

    private func actAtEnd(_ subscription: Subscription) -> SubscriptionAct {
        guard subscription.renewal.willAutoRenew == true else { return .expire(.cancelled) }
        if subscription.priceIncreaseStatus == 0 { return .expire(.priceIncrease) }
        let isOver = transaction.environment == .sandbox && subscription.renewals >= Pace.sandboxRenewals
        return isOver ? .expire(.cancelled) : .renew
    }

    private func troubleEvent(_ subscription: Subscription, since start: Date) -> (act: SubscriptionAct, date: Date) {
        let lastDate = start + SubscriptionAct.retryPeriod * subscription.pace.day
        var event: (act: SubscriptionAct, date: Date) = (.expire(.billingError), lastDate)
        let renewal = subscription.renewal
        if let date = renewal.gracePeriodExpirationDate, renewal.expirationReason == nil, date <= event.date {
            event = (.gracePeriodExpired, date)
        }
        if let date = subscription.recoveryDate, date <= event.date { event = (.renew, date) }
        return event
    }
}
