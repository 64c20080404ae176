import Foundation
import InAppPurchase

/// How a subscription is billed (Apple, billingPlanType).
enum BillingPlan: String, Codable, Sendable {
    /// By the month, with a commitment of twelve.
    case monthly = "MONTHLY"
    case upfront = "BILLED_UPFRONT"

    /// The number of billing periods of a commitment (`totalBillingPeriods`).
    static let periods = 12
    static let billingPeriod = CalendarDuration(months: 1)
    static let commitment = billingPeriod.times(periods)
    /// The App Store tries to charge for a commitment for 90 days (Apple, "Managing the life cycle of monthly
    /// subscriptions with a 12-month commitment").
    static let retryPeriod = 90.0
}

extension StoredPurchase {
    /// Whether another period of the commitment follows this one. It does although the customer has cancelled, which
    /// only says that no other commitment follows (Apple, as above).
    var isWithinCommitment: Bool {
        guard let subscription, let number = subscription.billingPeriodNumber, number < BillingPlan.periods, !isRevoked
        else { return false }
        return subscription.renewal.expirationReason == nil || subscription.renewal.isInBillingRetry
    }

    /// Whether the next period is billed (`autoRenewStatus`).
    var willRenew: Bool { isWithinCommitment || subscription?.renewal.willAutoRenew == true }

    /// The end of the commitment if each of its periods is paid in time; `nil` without one.
    var commitmentEnd: Date? {
        guard let subscription, let number = subscription.billingPeriodNumber, let end = transaction.expirationDate
        else { return nil }
        return stride(from: number, to: BillingPlan.periods, by: 1).reduce(end) { date, _ in
            subscription.pace.end(of: subscription.period, from: date)
        }
    }
}

extension StoredPurchase.Subscription {
    /// Bills the period like the one before it, if that is of the same product: as the next one of its commitment, or
    /// as the first one of another.
    mutating func continueBilling(of before: StoredPurchase, by act: SubscriptionAct) {
        guard let last = before.subscription, renewal.autoRenewProductID == before.transaction.productID,
            period == last.period
        else { return }
        billingPlan = last.billingPlan
        guard let number = last.billingPeriodNumber else { return }
        guard act.isRenewal, before.isWithinCommitment else {
            billingPeriodNumber = 1
            return
        }
        billingPeriodNumber = number.saturatingAdding(1)
        // What the customer chose meanwhile takes effect when the commitment ends.
        renewal.willAutoRenew = last.renewal.willAutoRenew
        renewal.autoRenewProductID = last.renewal.autoRenewProductID
        (nextPeriod, nextPrice, priceIncreaseStatus) = (last.nextPeriod, last.nextPrice, last.priceIncreaseStatus)
    }
}
