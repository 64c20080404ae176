import Foundation
import InAppPurchase

/// The groups of subscriptions in which a customer used the introductory offer, from all recorded periods.
///
/// Source: Apple, "Implementing introductory offers in your app": one in a group is all that a customer gets.
struct IntroductoryOffers: Sendable {
    /// Whether an offer was used, by all periods that are known.
    enum Use: String, Codable, Sendable {
        /// No period is one of the offer.
        case unused
        /// For some periods, no copy says.
        case unknown
        case used

        /// The combined use of two sets of periods.
        func or(_ other: Use) -> Use {
            if self == .used || other == .used { return .used }
            return self == .unknown || other == .unknown ? .unknown : .unused
        }
    }

    private struct Group: Hashable {
        var scope: Scope
        var name: String
    }

    private var uses: [Group: Use] = [:]

    init(_ histories: [HistoryID: CondensedHistory]) {
        for (id, history) in histories { add(history.offers, in: id.scope) }
    }

    private mutating func add(_ others: [String: Use], in scope: Scope) {
        for (name, use) in others {
            let group = Group(scope: scope, name: name)
            uses[group] = uses[group]?.or(use) ?? use
        }
    }

    /// Whether the offer of a subscription's group is used up; `nil` if no period is known to have used it, and some
    /// periods do not say.
    func isUsed(inGroupOf transaction: Transaction) -> Bool? {
        let scope = Scope(app: transaction.app, environment: transaction.environment)
        let use = uses[Group(scope: scope, name: transaction.offerGroup)] ?? .unknown
        return use == .unknown ? nil : use == .used
    }
}

extension Transaction {
    /// The subscription group, or the product if its group is not known.
    var offerGroup: String { subscriptionGroupID ?? productID.text }

    /// Whether the period is a trial or has an introductory price.
    var offerUse: IntroductoryOffers.Use {
        if details?.isTrialPeriod == true || details?.isIntroductoryPeriod == true { return .used }
        if details?.offer?.isIntroductory == true { return .used }
        return isSigned || details?.isTrialPeriod == false ? .unused : .unknown
    }
}

extension [String: IntroductoryOffers.Use] {
    /// Adds a period of a subscription.
    mutating func add(_ period: Transaction) {
        let (group, use) = (period.offerGroup, period.offerUse)
        self[group] = self[group]?.or(use) ?? use
    }
}
