import Foundation
import InAppPurchase

extension StoredPurchase {
    /// Applies an act to the newest transaction of an original transaction. Acts that end the period end it now; a
    /// renewal leaves it as it is.
    mutating func apply(_ act: SubscriptionAct, at date: Date) {
        guard var subscription else { return }
        switch act {
        case .renew, .renewEarly, .resubscribe, .crossgrade: return
        case .expire, .grace, .billingRetry, .revoke, .upgrade: end(act, at: date, &subscription)
        case .gracePeriodExpired:
            let end = subscription.renewal.gracePeriodExpirationDate.map { min($0, date) } ?? date
            subscription.renewal.gracePeriodExpirationDate = end
            subscription.renewal.isInBillingRetry = true
            subscription.renewal.expirationReason = ExpirationReason.billingError.rawValue
        case .downgrade(let choice):
            subscription.renewal.autoRenewProductID = choice.product
            let isOther = choice.product != transaction.productID
            subscription.nextPeriod = isOther ? choice.period : nil
            subscription.nextPrice = isOther ? choice.price : nil
            subscription.nextOffer = choice.offer
        case .redeem(let offer): subscription.nextOffer = offer
        case .setAutoRenew(let isOn): subscription.renewal.setAutoRenew(isOn, isCommitted: isWithinCommitment)
        case .addSeats, .renewSeats, .unclaimSeats: seats?.apply(act)
        case .priceIncrease(let isAccepted, let price):
            subscription.priceIncreaseStatus = isAccepted ? 1 : 0
            subscription.nextPrice = price ?? subscription.nextPrice
        case .extend(let granted): extend(granted, at: date, &subscription)
        }
        subscription.renewal.signedDate = date
        self.subscription = subscription
    }

    private mutating func extend(
        _ asked: SimulatorRenewalExtension, at date: Date, _ subscription: inout Subscription
    ) {
        // A day is 24 hours: an extension moves the end by a multiple of that.
        let end = (transaction.expirationDate ?? date) + TimeInterval(asked.days) * 86_400
        var granted = asked
        (transaction.expirationDate, granted.effectiveDate) = (end, end)
        subscription.extensions = (subscription.extensions ?? []) + [granted]
    }

    private mutating func end(_ act: SubscriptionAct, at date: Date, _ subscription: inout Subscription) {
        // An act after the end of the period makes it no longer.
        let end = transaction.expirationDate.map { min($0, date) } ?? date
        transaction.expirationDate = end
        var renewal = RenewalFacts(willAutoRenew: true, autoRenewProductID: transaction.productID, signedDate: date)
        if isWithinCommitment {
            renewal.willAutoRenew = subscription.renewal.willAutoRenew
            renewal.autoRenewProductID = subscription.renewal.autoRenewProductID
        }
        switch act {
        case .expire(let reason): (renewal.willAutoRenew, renewal.expirationReason) = (false, reason.rawValue)
        case .grace(let days, let recovery):
            renewal.isInBillingRetry = true
            renewal.gracePeriodExpirationDate = end + subscription.gracePeriod(days) * subscription.pace.day
            subscription.beginRetry(at: end, recovery)
        case .billingRetry(let recovery):
            (renewal.isInBillingRetry, renewal.expirationReason) = (true, ExpirationReason.billingError.rawValue)
            subscription.beginRetry(at: end, recovery)
        case .revoke:
            renewal.willAutoRenew = false
            seats?.additions = 0
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
        if transaction.ownershipType == .purchased { seats?.revoked = transaction.quantity }
        guard !isSeatAddition else { return }
        subscription?.renewal.willAutoRenew = false
        subscription?.renewal.signedDate = date
    }

    /// Reverses the refund; the renewal date and auto-renew stay as they are.
    mutating func reverseRefund() {
        (transaction.revocation, revocationPercentage) = (nil, nil)
        seats?.revoked = 0
    }

    /// The next transaction of the original transaction, whose period starts now; `nil` if this is not a subscription.
    func successor(
        id: TransactionID, webOrderLineItemID: String, by act: SubscriptionAct, at date: Date
    ) -> StoredPurchase? {
        guard let subscription, let end = transaction.expirationDate else { return nil }
        let start = PeriodStart(act, after: self, subscription)
        // Charged within the grace period, the customer keeps the billing date, and has lost no day.
        // An early renewal begins when the current period ends.
        let isInGrace = act == .renew && status(at: date) == .gracePeriod
        let first = isInGrace || act == .renewEarly && end > date ? end : date
        let pace = subscription.pace
        var next = self
        next.transaction.id = id
        next.transaction.productID = start.product
        next.transaction.purchaseDate = first
        next.transaction.expirationDate = pace.end(of: start.offer?.period ?? start.period, from: first)
        (next.transaction.revocation, next.transaction.isUpgraded) = (nil, false)
        (next.revocationPercentage, next.isFinished, next.offer, next.copyOf) = (nil, false, start.offer, nil)
        (next.recordedDate, next.isRenewal) = (date, act.isRenewal)
        next.transaction.appAccountToken = act.choice?.account ?? transaction.appAccountToken
        next.number = number.saturatingAdding(1)
        next.price = start.offer?.ownPrice ?? start.price
        next.transaction.quantity = seats?.renewing ?? transaction.quantity
        next.seats = seats.map { Seats($0.renewing, invitations: $0.invitations) }
        let isNewRun = first.timeIntervalSince(end) > SubscriptionAct.maximumGap * pace.day
        next.subscription = subscription.following(
            start, from: isNewRun ? first : subscription.recentStartDate, webOrderLineItemID, by: act, at: date)
        next.subscription?.continueBilling(of: self, by: act)
        return next
    }
}

extension StoredPurchase.Subscription {
    /// The members of the next period.
    ///
    /// - Parameter recent: the start of the run that it belongs to.
    fileprivate func following(
        _ start: PeriodStart, from recent: Date, _ webOrderLineItemID: String, by act: SubscriptionAct, at date: Date
    ) -> Self {
        Self(
            webOrderLineItemID: webOrderLineItemID, period: start.period, recentStartDate: recent,
            renewal: RenewalFacts(willAutoRenew: true, autoRenewProductID: start.product, signedDate: date),
            nextOffer: start.offer?.rest, extensions: extensions, renewsByItself: renewsByItself,
            isAccelerated: isAccelerated, renewals: act.isRenewal ? renewals.saturatingAdding(1) : 0,
            standardPrice: start.price, winBackOffers: start.winBackOffers)
    }

    /// The billing grace period in days.
    fileprivate func gracePeriod(_ chosen: Int?) -> Double {
        let days = chosen ?? SubscriptionAct.gracePeriod
        return Double(period.months == 0 && period.days <= 7 ? min(days, SubscriptionAct.gracePeriodOfWeeks) : days)
    }

    fileprivate mutating func beginRetry(at date: Date, _ recovery: CalendarDuration?) {
        retryStart = date
        recoveryDate = recovery?.end(from: date)
    }
}

/// The product, length, price and offer of the next period.
private struct PeriodStart {
    var product: ProductID
    var period: CalendarDuration
    var price: Int?
    var offer: Offer?
    var winBackOffers: [String]?

    init(_ act: SubscriptionAct, after purchase: StoredPurchase, _ subscription: StoredPurchase.Subscription) {
        let current = purchase.transaction.productID
        product = current
        period = subscription.period
        price = subscription.standardPrice
        winBackOffers = subscription.winBackOffers
        if act.isRenewal, purchase.isWithinCommitment {
            offer = subscription.nextOffer
        } else if act.isRenewal {
            product = subscription.renewal.autoRenewProductID ?? current
            period = subscription.nextPeriod ?? subscription.period
            price = subscription.nextPrice ?? subscription.standardPrice
            offer = subscription.nextOffer
        } else if let choice = act.choice {
            product = choice.product ?? current
            period = choice.period ?? subscription.period
            price = choice.price ?? subscription.standardPrice
            offer = choice.offer
            winBackOffers = choice.winBackOffers ?? subscription.winBackOffers
        }
    }
}

extension RenewalFacts {
    /// Sets auto-renewal. Switched off, it also ends billing retry, unless the customer owes it by a commitment.
    fileprivate mutating func setAutoRenew(_ isOn: Bool, isCommitted: Bool) {
        willAutoRenew = isOn
        guard !isOn, isInBillingRetry, !isCommitted else { return }
        (isInBillingRetry, gracePeriodExpirationDate) = (false, nil)
        expirationReason = ExpirationReason.cancelled.rawValue
    }
}
