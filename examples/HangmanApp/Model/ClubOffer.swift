import Foundation
import QuartermasterClient

/// A subscription as App Review wants it shown before it is bought (3.1.2): what it is, how long, for how much, and
/// what comes before.
struct ClubOffer: Identifiable, Equatable {
    var id: String
    var name: String
    var detail: String
    /// The amount that is charged, and how often. No other price may be larger on the screen.
    var price: String
    /// The introductory offer, if this customer may have it.
    var introduction: String?
    var button: String
    var isEnabled: Bool
}

extension ShopState {
    /// The group of the game's subscriptions in the server's catalog.
    static let club = "club"

    static let renewalTerms = """
        It renews by itself, at this price, until you cancel it: at least a day before the end of the period, in the \
        settings of your Apple Account.
        """

    var isClubMember: Bool { hasAccess(toGroup: Self.club) }

    /// The links that a subscription may not be sold without.
    var clubLinks: [(title: String, url: URL)] {
        [("Terms of use", legal?.terms), ("Privacy policy", legal?.privacyPolicy)].compactMap { title, url in
            url.map { (title, $0) }
        }
    }

    /// The group's ID in App Store Connect, for the sheet in which the player manages the subscription.
    var clubGroupID: String? { products.compactMap(\.store?.subscription?.groupID).first }

    /// The subscriptions of the list, the best first, without those whose terms the store did not state.
    var clubOffers: [ClubOffer] {
        products.filter { $0.group == Self.club || $0.type == .autoRenewable }
            .sorted { ($0.level ?? .max) < ($1.level ?? .max) }
            .compactMap(offer)
    }

    /// The player's own subscription: when it renews or ends, and what is wrong with it.
    func clubStatus(_ dates: Date.FormatStyle = .day) -> String? {
        let own = entitlements.filter { $0.group == Self.club }
        guard let entitlement = own.first(where: { $0.hasAccess(at: time) }) ?? own.first else { return nil }
        let details = entitlement.subscription
        switch (details?.billingIssue, details?.willRenew) {
        case ("grace", _):
            return "A payment failed. Access ends on \(day(details?.gracePeriodUntil ?? entitlement.until, dates))."
        case ("retry", _): return "A payment failed. See the payment settings of your Apple Account."
        case _ where !entitlement.hasAccess(at: time): return nil
        case (_, true): return "Renews on \(day(details?.renewsAt ?? entitlement.until, dates))."
        case (_, false): return "Ends on \(day(entitlement.until, dates))."
        default: return entitlement.until.map { "Until \($0.formatted(dates))." }
        }
    }

    private func day(_ date: Date?, _ dates: Date.FormatStyle) -> String { date?.formatted(dates) ?? "–" }

    private func offer(_ product: ShopProduct) -> ClubOffer? {
        guard let terms = product.store?.subscription, let price = product.displayPrice else { return nil }
        let regular = "\(price) \(terms.period.each)"
        let isSold = product.state == .available || product.state == .pending
        return ClubOffer(
            id: product.id, name: product.displayName, detail: product.description, price: regular,
            introduction: terms.isEligibleForIntroductoryOffer
                ? terms.introductoryOffer?.text.map { "\($0), then \(regular)" } : nil,
            button: isSold ? "Subscribe" : product.state.clubText,
            isEnabled: isSold && canMakePayments && clubLinks.count == 2)
    }
}

extension ProductState {
    fileprivate var clubText: String {
        switch self {
        case .buying: "Buying…"
        case .waiting: "Paid"
        case .owned: "Your subscription"
        default: "Unavailable"
        }
    }
}

extension SourceProduct.Period {
    /// `1 month`, `3 months`. An app has it from its own translations.
    var text: String { text(times: 1) }

    fileprivate var each: String { value == 1 ? "each \(unit.rawValue)" : "every \(text)" }

    fileprivate func text(times: Int) -> String {
        let all = value * times
        return "\(all) \(unit.rawValue)\(all == 1 ? "" : "s")"
    }
}

extension SourceProduct.Offer {
    /// `nil` for a way to pay that came after this app.
    fileprivate var text: String? {
        let whole = period.text(times: periodCount)
        switch paymentMode {
        case .freeTrial: return "\(whole) free"
        case .payAsYouGo: return "\(displayPrice) \(period.each) for \(whole)"
        case .payUpFront: return "\(displayPrice) for \(whole)"
        default: return nil
        }
    }
}
