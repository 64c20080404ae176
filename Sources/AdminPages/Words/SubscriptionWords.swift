import Foundation
import InAppPurchase
import Ledger
import ServerCore

/// A subscription in words that support can pass on: its next renewal, or why it ended. They say nothing that the App
/// Store has not said.
struct SubscriptionWords {
    let status: SubscriptionStatus
    /// The newest period; `nil` if the page does not have it.
    var period: Transaction?
    /// The end of the time that was paid for; `nil` if it has none.
    var end: Date?
    /// The access to the product by purchases; `nil` if the account has none of its own.
    var access: Access?
    /// When the customer turned renewal off, as a notification said; `nil` if none did.
    var turnedOff: Date?
    let now: Date
    /// Returns the name of a product.
    let name: (ProductID) -> String

    /// The state in a word or two, and in a sentence.
    var state: (badge: Badge, text: String) {
        if let taken { return taken }
        guard let end, !isRunning else { return running }
        if let issue = status.billingIssue { return unpaid(issue, since: end) }
        guard status.expirationReason == nil, status.willRenew == true else {
            return (Badge("Ended", .plain), "Ended on \(words(end)): \(reasonOfEnd).")
        }
        let text = "Paid until \(words(end)). The App Store has not said yet whether it renewed."
        return (Badge("Renewal due", .waiting), text)
    }

    /// The rest of what there is to know, in short sentences.
    var notes: [String] {
        [family, priceIncrease, offer, seats, commitment, denial].compactMap { $0 }
    }

    /// Whether it gives access, or may again by a payment that the App Store still tries.
    var isLive: Bool { taken == nil && (isRunning || status.billingIssue != nil) }

    /// Whether the App Store can extend its renewal date: somebody paid here for the period that runs.
    var canBeExtended: Bool {
        taken == nil && isRunning && status.phase != .trial && period?.ownershipType == .purchased
            && period?.details?.price != 0
    }

    private var isRunning: Bool { end.map { $0 > now } ?? true }

    private func words(_ date: Date) -> String { PageTime(date, now: now).text }
}

// MARK: The state

extension SubscriptionWords {
    /// The state of a subscription that the App Store took back, or that another product replaced; `nil` for others.
    private var taken: (Badge, String)? {
        if let period, let revocation = period.revocation, revocation.share.isAll || access == .denied(.revoked) {
            let date = words(revocation.date)
            if period.isRefunded { return (Badge("Refunded", .bad), "Refunded by the App Store on \(date).") }
            let why = period.ownershipType == .familyShared ? "Family Sharing ended" : "The App Store took it back"
            return (Badge("Ended", .plain), "\(why) on \(date).")
        }
        if access == .denied(.revoked) { return (Badge("Ended", .plain), "The App Store took it back.") }
        guard period?.isUpgraded == true else { return nil }
        return (Badge("Replaced", .plain), "The customer changed to another product of the group.")
    }

    private func unpaid(_ issue: SubscriptionStatus.BillingIssue, since end: Date) -> (Badge, String) {
        switch issue {
        case .grace:
            let until = status.gracePeriodUntil.map { " until \(words($0)), the end of the grace period" } ?? ""
            return (Badge("Not paid", .waiting), "The App Store cannot charge the card. Access\(until).")
        case .retry:
            let text = "The App Store cannot charge the card, and keeps trying. No access since \(words(end))."
            return (Badge("Not paid", .bad), text)
        }
    }

    private var running: (Badge, String) {
        let isTrial = status.phase == .trial
        switch status.willRenew {
        case true?:
            let isAsked = status.priceIncrease?.state == .pending
            return (isAsked ? Badge("Price rise", .waiting) : Badge(isTrial ? "Free trial" : "Renews", .good), renewal)
        case false?:
            let off = turnedOff.map { "The customer turned renewal off on \(words($0))" } ?? "Renewal is turned off"
            return (Badge("Turned off", .waiting), "\(off). \(lasting).")
        case nil:
            let text = "\(lasting). The App Store has not said whether it renews."
            return (Badge(isTrial ? "Free trial" : "Paid", .good), text)
        }
    }

    /// How long it lasts without a renewal.
    private var lasting: String {
        let what = status.phase == .trial ? "The free trial lasts" : "Access"
        return end.map { "\(what) until \(words($0))" } ?? "\(what) without end"
    }

    private var renewal: String {
        let date = (status.renewsAt ?? end).map(words) ?? "a day that is not known"
        let other = status.renewsTo.flatMap { $0 == period?.productID ? nil : $0 }
        let terms = "\(other.map { " as \(name($0))" } ?? "")\(price.map { " for \($0)" } ?? "")"
        return switch status.phase {
        case .trial?: "Free trial until \(date), then renews\(terms)."
        case .introductory?: "Introductory price until \(date), then renews\(terms)."
        case .offer?: "Offer until \(date), then renews\(terms)."
        case .standard?, nil: "Renews on \(date)\(terms)."
        }
    }

    /// The price of the next renewal.
    private var price: String? {
        guard let amount = status.renewalPrice.map(money) else { return nil }
        guard let seats = status.renewalQuantity, seats > 1 else { return amount }
        return "\(amount)\((status.renewalPriceTiers?.count ?? 1) > 1 ? " on average" : "") for each of \(seats) seats"
    }

    private func money(_ thousandths: Int) -> String {
        [Money.text(thousandths), status.currency].compactMap { $0 }.joined(separator: " ")
    }

    private var reasonOfEnd: String {
        let off = turnedOff.map { "the customer turned renewal off on \(words($0))" }
        switch status.expirationReason {
        case .cancelled?: return off ?? "the customer turned renewal off"
        case .billing?: return "the App Store could not charge the card"
        case .priceIncrease?: return "the customer did not agree to the price rise"
        case .unavailable?: return "the product was no longer for sale"
        case .other?: return "the App Store gives no reason"
        case nil: return status.willRenew == false ? off ?? "renewal was turned off" : "the App Store has not said why"
        }
    }
}

// MARK: Notes

extension SubscriptionWords {
    /// The names of Apple's offer types.
    private static let offers = [2: "a promotional offer", 3: "an offer code", 4: "a win-back offer"]

    private var family: String? {
        period?.ownershipType == .familyShared ? "Shared by the family: another member pays." : nil
    }

    private var priceIncrease: String? {
        guard let increase = status.priceIncrease, status.willRenew == true else { return nil }
        let price = increase.newPrice.map { " to \(money($0))" } ?? ""
        return switch increase.state {
        case .pending: "The price rise\(price) waits for the customer's consent. Without it the subscription ends."
        case .agreed: "The price rises\(price): the customer agreed, or was told where no consent is needed."
        }
    }

    private var offer: String? {
        guard let offer = status.offer, let kind = offer.type.flatMap({ Self.offers[$0] }) else { return nil }
        return "Bought with \(kind)\(offer.id.map { ", \($0)" } ?? "")."
    }

    private var seats: String? {
        guard let period, let seats = period.details?.seats else { return nil }
        let number = period.quantity == 1 ? "1 seat" : "\(period.quantity) seats"
        return "\(number)\(seats.revoked.map { ", \($0) of them refunded" } ?? "")."
    }

    private var commitment: String? {
        guard let commitment = status.commitment else { return nil }
        let place = [commitment.period, commitment.periods].map { $0.map(String.init) ?? "?" }
        let until = commitment.end.map { ", until \(words($0))" } ?? ""
        let after = status.renewalCommitment?.willAutoRenew.map { $0 ? "; then another year" : "; then it ends" } ?? ""
        return "A year that is paid by the month: payment \(place[0]) of \(place[1])\(until)\(after)."
    }

    /// Why it gives no access although it is paid for.
    private var denial: String? {
        let isSaid: Set<DenialReason> = [.expired, .revoked, .upgraded, .billingRetry]
        guard case .denied(let reason)? = access, !isSaid.contains(reason) else { return nil }
        return "It gives no access: \(reason.words)."
    }
}
