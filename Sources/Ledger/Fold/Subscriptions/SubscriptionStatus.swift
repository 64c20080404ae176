package import Foundation
package import InAppPurchase

/// The state of an auto-renewable subscription as an app shows it: the phase, the next renewal, and why it ended.
///
/// It decides nothing. Each member is `nil` if no copy of the facts states it.
package struct SubscriptionStatus: Hashable, Sendable {
    /// The kind of price of the current period.
    package enum Phase: String, Codable, Sendable { case standard, trial, introductory, offer }

    /// Why the last renewal failed: access continues in the grace period, and does not in billing retry.
    package enum BillingIssue: String, Codable, Sendable { case grace, retry }

    /// Why the subscription ended.
    package enum ExpirationReason: String, Codable, Sendable {
        case cancelled, billing, priceIncrease, unavailable, other

        /// - Parameter intent: Apple's `expirationIntent`; a number that Apple adds later is `other`.
        init(intent: Int) {
            self =
                switch intent {
                case 1: .cancelled
                case 2: .billing
                case 3: .priceIncrease
                case 4: .unavailable
                default: .other
                }
        }
    }

    /// A price increase that the customer was asked about or told of.
    package struct PriceIncrease: Hashable, Sendable {
        package enum State: String, Codable, Sendable { case pending, agreed }

        package var state: State
        /// The new price, in thousandths of the subscription's currency.
        package var newPrice: Int?
    }

    package var phase: Phase?
    package var offer: PurchaseOffer?
    package var willRenew: Bool?
    /// The product of the next renewal; `nil` if there will be none.
    package var renewsTo: ProductID?
    package var renewsAt: Date?
    /// The price of the next renewal, in thousandths of ``currency``.
    package var renewalPrice: Int?
    package var currency: String?
    /// The number of seats that renew; ``renewalPrice`` is the average of one.
    package var renewalQuantity: Int?
    package var renewalPriceTiers: [RenewalDetails.PriceTier]?
    /// How the current period is paid, and the next one.
    package var billingPlan: String?
    package var renewalBillingPlan: String?
    /// The place of the current period in a commitment, and what follows the commitment.
    package var commitment: CommitmentDetails?
    package var renewalCommitment: RenewalDetails.Commitment?
    package var billingIssue: BillingIssue?
    package var gracePeriodUntil: Date?
    package var expirationReason: ExpirationReason?
    package var priceIncrease: PriceIncrease?
    package var winBackOffers: [String]?
    /// Whether the customer used up the introductory offer of the subscription's group.
    package var isIntroductoryOfferUsed: Bool?

    /// - Parameters:
    ///   - period: the newest period of the subscription.
    ///   - renewal: the App Store's latest statement about the next renewal.
    ///   - isIntroductoryOfferUsed: by the customer's other periods of the group.
    package init(period: Transaction, renewal: RenewalFacts?, isIntroductoryOfferUsed: Bool?, at date: Date) {
        phase = Phase(period)
        offer = period.details?.offer
        billingPlan = period.details?.billingPlan
        commitment = period.details?.commitment
        self.isIntroductoryOfferUsed = isIntroductoryOfferUsed
        // A statement from before this period was bought is about an earlier one.
        guard let renewal, renewal.signedDate >= period.purchaseDate || renewal.isAhead(of: period) else { return }
        addRenewal(renewal, after: period)
        addTrouble(renewal, after: period, at: date)
    }

    private mutating func addRenewal(_ renewal: RenewalFacts, after period: Transaction) {
        willRenew = renewal.willAutoRenew
        winBackOffers = renewal.details?.winBackOfferIDs
        renewalCommitment = renewal.details?.commitment
        guard renewal.willAutoRenew == true else { return }
        renewsTo = renewal.autoRenewProductID ?? period.productID
        renewsAt = renewal.details?.renewalDate ?? period.expirationDate
        renewalPrice = renewal.details?.price
        currency = renewal.details?.currency
        renewalQuantity = renewal.details?.quantity
        renewalPriceTiers = renewal.details?.priceTiers
        renewalBillingPlan = renewal.details?.billingPlan
    }

    private mutating func addTrouble(_ renewal: RenewalFacts, after period: Transaction, at date: Date) {
        expirationReason = renewal.expirationReason.map(ExpirationReason.init(intent:))
        if let status = renewal.priceIncrease {
            priceIncrease = PriceIncrease(state: status == 0 ? .pending : .agreed, newPrice: renewal.details?.price)
        }
        guard let end = period.expirationDate, end <= date else { return }
        if let grace = renewal.graceEnd(from: period.purchaseDate, to: end), grace > max(end, date) {
            billingIssue = .grace
            gracePeriodUntil = grace
        } else if renewal.isInBillingRetry {
            billingIssue = .retry
        }
    }
}

extension SubscriptionStatus.Phase {
    /// The phase of a period; `nil` if no copy of it says.
    init?(_ period: Transaction) {
        let details = period.details
        let isIntroductory = details?.isIntroductoryPeriod == true || details?.offer?.isIntroductory == true
        if details?.isTrial == true {
            self = .trial
        } else if isIntroductory {
            self = .introductory
        } else if details?.offer != nil {
            self = .offer
        } else if period.isSigned || details?.isIntroductoryPeriod == false {
            self = .standard
        } else {
            return nil
        }
    }
}

extension RenewalFacts {
    /// Renewals are signed shortly before the period that they begin.
    fileprivate func isAhead(of period: Transaction) -> Bool { signedDate >= period.signedDate }
}
