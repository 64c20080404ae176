import Foundation
import InAppPurchase

extension StoredPurchase {
    /// Applies an act to the newest transaction of an original transaction. Acts that end the period end it now; a
    /// renewal leaves it as it is.
    mutating func apply(_ act: SubscriptionAct, at date: Date) {
        guard var subscription else { return }
        switch act {
        case .renew, .resubscribe, .crossgrade: return
        case .expire, .grace, .billingRetry, .revoke, .upgrade: end(act, at: date, &subscription)
        case .gracePeriodExpired:
            let end = subscription.renewal.gracePeriodExpirationDate.map { min($0, date) } ?? date
            subscription.renewal.gracePeriodExpirationDate = end
            subscription.renewal.isInBillingRetry = true
            subscription.renewal.expirationReason = ExpirationReason.billingError.rawValue
        case .downgrade(let product, let period, let offer):
            subscription.renewal.autoRenewProductID = product
            (subscription.nextPeriod, subscription.nextOffer) = (period, offer)
        case .redeem(let offer): subscription.nextOffer = offer
        case .setAutoRenew(let isOn): subscription.renewal.setAutoRenew(isOn)
        case .priceIncrease(let isAccepted): subscription.priceIncreaseStatus = isAccepted ? 1 : 0
        case .extend(var granted):
            // A day is 24 hours: an extension moves the end by a multiple of that.
            let end = (transaction.expirationDate ?? date) + TimeInterval(granted.days) * 86_400
            (transaction.expirationDate, granted.effectiveDate) = (end, end)
            subscription.extensions = (subscription.extensions ?? []) + [granted]
        }
        subscription.renewal.signedDate = date
        self.subscription = subscription
    }

    private mutating func end(_ act: SubscriptionAct, at date: Date, _ subscription: inout Subscription) {
        transaction.expirationDate = date
        var renewal = RenewalFacts(
            willAutoRenew: true, autoRenewProductID: transaction.productID, signedDate: date)
        switch act {
        case .expire(let reason): (renewal.willAutoRenew, renewal.expirationReason) = (false, reason.rawValue)
        case .grace:
            renewal.isInBillingRetry = true
            renewal.gracePeriodExpirationDate = date + SubscriptionAct.gracePeriod
        case .billingRetry:
            (renewal.isInBillingRetry, renewal.expirationReason) = (true, ExpirationReason.billingError.rawValue)
        case .revoke:
            renewal.willAutoRenew = false
            transaction.revocation = transaction.revocation ?? Transaction.Revocation(date: date, reason: 0)
        default: transaction.isUpgraded = true
        }
        subscription.renewal = renewal
    }

    /// Refunds it. A second refund replaces the share; the first date stands.
    ///
    /// - Parameter percentage: the share of a prorated refund in thousandths of a percent; `nil` for a full one.
    mutating func refund(at date: Date, percentage: Int? = nil, reason: Int = 0) {
        revocationPercentage = percentage
        guard transaction.revocation == nil else { return }
        transaction.revocation = Transaction.Revocation(date: date, reason: reason)
        subscription?.renewal.willAutoRenew = false
        subscription?.renewal.signedDate = date
    }

    /// Reverses the refund; the renewal date and auto-renew stay as they are.
    mutating func reverseRefund() { (transaction.revocation, revocationPercentage) = (nil, nil) }

    /// The next transaction of the original transaction, whose period starts now; `nil` if this is not a subscription.
    func successor(
        id: TransactionID, webOrderLineItemID: String, by act: SubscriptionAct, at date: Date
    ) -> StoredPurchase? {
        guard let subscription else { return nil }
        let gap = date.timeIntervalSince(transaction.expirationDate ?? date)
        let start = PeriodStart(act, after: transaction.productID, subscription)
        var next = self
        next.transaction.id = id
        next.transaction.productID = start.product
        next.transaction.purchaseDate = date
        next.transaction.expirationDate = (start.offer?.period ?? start.period).end(from: date)
        (next.transaction.revocation, next.transaction.isUpgraded) = (nil, false)
        (next.revocationPercentage, next.isFinished, next.offer) = (nil, nil, start.offer)
        (next.recordedDate, next.isRenewal) = (date, act == .renew)
        next.number = number.saturatingAdding(1)
        next.subscription = Subscription(
            webOrderLineItemID: webOrderLineItemID, period: start.period,
            recentStartDate: gap > SubscriptionAct.maximumGap ? date : subscription.recentStartDate,
            renewal: RenewalFacts(willAutoRenew: true, autoRenewProductID: start.product, signedDate: date),
            extensions: subscription.extensions)
        return next
    }
}

/// The product, length and offer of the next period.
private struct PeriodStart {
    var product: ProductID
    var period: CalendarDuration
    var offer: Offer?

    init(_ act: SubscriptionAct, after current: ProductID, _ subscription: StoredPurchase.Subscription) {
        product = current
        period = subscription.period
        switch act {
        case .renew:
            product = subscription.renewal.autoRenewProductID ?? current
            period = subscription.nextPeriod ?? subscription.period
            offer = subscription.nextOffer
        case .upgrade(let chosen, let redeemed):
            product = chosen
            offer = redeemed
        case .resubscribe(let chosen, let redeemed):
            product = chosen ?? current
            offer = redeemed
        default: break
        }
    }
}

extension RenewalFacts {
    /// Sets auto-renewal. Switched off, it also ends billing retry.
    fileprivate mutating func setAutoRenew(_ isOn: Bool) {
        willAutoRenew = isOn
        guard !isOn, isInBillingRetry else { return }
        (isInBillingRetry, gracePeriodExpirationDate) = (false, nil)
        expirationReason = ExpirationReason.cancelled.rawValue
    }
}
