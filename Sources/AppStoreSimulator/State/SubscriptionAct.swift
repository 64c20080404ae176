import Foundation
import InAppPurchase

/// An event of a subscription.
enum SubscriptionAct: Hashable, Sendable {
    case renew
    /// A renewal before the end of the current period, which the next one follows.
    case renewEarly
    /// The period ends, and no other follows.
    case expire(ExpirationReason)
    /// Billing failed; access continues for a billing grace period of this many days.
    case grace(days: Int?, recoversAfter: CalendarDuration?)
    /// Billing failed, and there is no grace period.
    case billingRetry(recoversAfter: CalendarDuration?)
    /// The grace period is over; the App Store still tries to bill.
    case gracePeriodExpired
    /// Family Sharing ended.
    case revoke
    /// An upgrade: at once, in place of the current period.
    case upgrade(Choice)
    /// A downgrade at the next renewal; to the current product it cancels an earlier change.
    case downgrade(Choice)
    /// A crossgrade: an upgrade if the durations are the same, otherwise a downgrade.
    case crossgrade(Choice)
    /// The customer subscribes again.
    case resubscribe(Choice)
    /// The next renewal is under the offer; a subscription that has ended starts again under it.
    case redeem(Offer)
    case setAutoRenew(Bool)
    /// The customer is asked for consent, or has given it. The price is in milliunits; `nil` if it is not stated.
    case priceIncrease(isAccepted: Bool, price: Int?)
    case extend(SimulatorRenewalExtension)
    /// The group gets this many more seats, at once.
    case addSeats(Int)
    /// The next renewal is for this many seats.
    case renewSeats(Int)
    /// The App Store takes back the seats of these claims.
    case unclaimSeats([UUID])

    /// The billing grace period in days: 3, 16 or 28, as the app's owner chooses (App Store Connect Help).
    static let gracePeriods: Set = [3, 16, 28]
    static let gracePeriod = 16
    /// The longest grace period of a subscription whose periods are a week or shorter, in days.
    static let gracePeriodOfWeeks = 6
    /// The App Store tries to charge a customer for 60 days (Apple, "Reducing involuntary subscriber churn").
    static let retryPeriod = 60.0
    /// A gap of up to 60 days does not start a new run (Apple, `recentSubscriptionStartDate`).
    static let maximumGap = 60.0

    /// Whether it adds a transaction to the original transaction.
    var startsPeriod: Bool {
        switch self {
        case .renew, .renewEarly, .upgrade, .resubscribe: true
        default: false
        }
    }

    var isRenewal: Bool { self == .renew || self == .renewEarly }

    /// The claims whose seats it takes back.
    var unclaimed: [UUID] {
        if case .unclaimSeats(let ids) = self { ids } else { [] }
    }

    /// The customer's choice; `nil` if the act is not a choice.
    var choice: Choice? {
        switch self {
        case .upgrade(let choice), .downgrade(let choice), .crossgrade(let choice), .resubscribe(let choice): choice
        case .redeem(let offer): Choice(offer: offer)
        default: nil
        }
    }

    /// The same with another choice.
    func choosing(_ choice: Choice) -> SubscriptionAct {
        switch self {
        case .upgrade: .upgrade(choice)
        case .downgrade: .downgrade(choice)
        case .crossgrade: .crossgrade(choice)
        case .resubscribe: .resubscribe(choice)
        case .redeem(let offer): .redeem(choice.offer ?? offer)
        default: self
        }
    }

    /// The act that takes its place for a subscription in this state.
    func resolved(for current: StoredPurchase, at date: Date) -> SubscriptionAct {
        switch self {
        case .crossgrade(let choice):
            let isSameLength = choice.period == nil || choice.period == current.subscription?.period
            return isSameLength ? .upgrade(choice) : .downgrade(choice)
        case .redeem(let offer) where current.status(at: date) != .active: return .resubscribe(Choice(offer: offer))
        // A commitment has no grace period (Apple, "Managing the life cycle of monthly subscriptions with a 12-month
        // commitment").
        case .grace(_, let recovery) where current.subscription?.billingPlan == .monthly:
            return .billingRetry(recoversAfter: recovery)
        default: return self
        }
    }

    /// The act that happens to a family member's subscription when this one happens to the purchaser's; `nil` for none.
    var forFamily: SubscriptionAct? {
        switch self {
        case .renew, .renewEarly, .expire, .grace, .billingRetry, .gracePeriodExpired, .revoke, .upgrade, .resubscribe,
            .extend:
            self
        default: nil
        }
    }
}

extension StoredPurchase {
    /// The status of the newest transaction of an original transaction; `nil` if it is not a subscription.
    func status(at date: Date) -> SimulatorSubscriptionStatus? {
        guard let renewal = subscription?.renewal else { return nil }
        if isRevoked { return .revoked }
        if let end = transaction.expirationDate, date < end { return .active }
        guard renewal.isInBillingRetry else { return .expired }
        if let end = renewal.gracePeriodExpirationDate, date < end { return .gracePeriod }
        return .billingRetry
    }
}

/// `expirationIntent`.
enum ExpirationReason: Int, Sendable {
    case cancelled = 1
    case billingError, priceIncrease, notForSale, other

    private static let words: [String: ExpirationReason] = [
        "voluntary": .cancelled, "billing-retry": .billingError, "price-increase": .priceIncrease,
        "product-not-for-sale": .notForSale, "other": .other,
    ]

    init?(word: String) {
        guard let reason = Self.words[word] else { return nil }
        self = reason
    }
}

/// An extension of a subscription's period.
struct SimulatorRenewalExtension: Hashable, Codable, Sendable {
    var requestIdentifier: String
    var days: Int
    var date: Date
    /// The end of the period after the extension.
    var effectiveDate: Date?
}
