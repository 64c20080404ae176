import Foundation
import InAppPurchase

extension StoredPurchase {
    /// The next event that happens by itself to the subscription whose newest transaction this is; `nil` for none.
    var nextEvent: (act: SubscriptionAct, date: Date)? {
        guard let subscription, subscription.renewsByItself, !isRevoked,
            let end = transaction.expirationDate
        else { return nil }
        let renewal = subscription.renewal
        if renewal.isInBillingRetry { return troubleEvent(subscription, since: subscription.retryStart ?? end) }
        guard renewal.expirationReason == nil else { return nil }
        return (actAtEnd(subscription), end)
    }

    private func actAtEnd(_ subscription: Subscription) -> SubscriptionAct {
        guard willRenew else { return .expire(.cancelled) }
        if subscription.priceIncreaseStatus == 0, !isWithinCommitment { return .expire(.priceIncrease) }
        let isOver = transaction.environment == .sandbox && subscription.renewals >= Pace.sandboxRenewals
        return isOver ? .expire(.cancelled) : .renew
    }

    private func troubleEvent(_ subscription: Subscription, since start: Date) -> (act: SubscriptionAct, date: Date) {
        let days = subscription.billingPlan == .monthly ? BillingPlan.retryPeriod : SubscriptionAct.retryPeriod
        let lastDate = start + days * subscription.pace.day
        var event: (act: SubscriptionAct, date: Date) = (.expire(.billingError), lastDate)
        let renewal = subscription.renewal
        if let date = renewal.gracePeriodExpirationDate, renewal.expirationReason == nil, date <= event.date {
            event = (.gracePeriodExpired, date)
        }
        if let date = subscription.recoveryDate, date <= event.date { event = (.renew, date) }
        return event
    }
}
