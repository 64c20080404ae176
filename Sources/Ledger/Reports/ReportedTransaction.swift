import Foundation
package import InAppPurchase

/// A transaction as a report reads it, with its neighbours of the same original transaction in the order of their
/// purchase dates, and of their IDs if those are equal.
package struct ReportedTransaction: Sendable {
    package var transaction: Transaction
    /// The account that has the credits of the purchase; `nil` if it waits for an owner.
    package var creditedTo: AccountID?
    /// The product's type in the terms, for transactions whose evidence names none.
    package var termsType: ProductType?
    /// The period before; read with purchases and refunds of subscriptions.
    package var earlier: Transaction?
    /// The period after; read with the ends of periods and with refunds of subscriptions.
    package var later: Transaction?
    /// The last statement about the next renewal; read with the ends of periods.
    package var renewal: RenewalFacts?

    package init(
        transaction: Transaction, creditedTo: AccountID? = nil, termsType: ProductType? = nil,
        earlier: Transaction? = nil, later: Transaction? = nil, renewal: RenewalFacts? = nil
    ) {
        self.transaction = transaction
        self.creditedTo = creditedTo
        self.termsType = termsType
        self.earlier = earlier
        self.later = later
        self.renewal = renewal
    }

    /// How a period of a subscription came about.
    enum Beginning { case start, restart, upgrade, renewal }

    /// Whether the customer bought it. Family Sharing and organisations give transactions that nobody bought, a
    /// restored copy is the same purchase, and so is a period that is recorded under two IDs.
    var isSale: Bool {
        guard transaction.ownershipType == .purchased, transaction.mayRenew || transaction.id == transaction.originalID
        else { return false }
        guard !addsSeats, let item = transaction.details?.webOrderLineItemID else { return true }
        return earlier?.details?.webOrderLineItemID != item
    }

    /// Whether the customer decided to buy it: no renewal, and no seats for a period that ran.
    package var isFirstPurchase: Bool { isSale && !addsSeats && !transaction.isRenewal }

    /// Whether it only added seats to the period before.
    var addsSeats: Bool { earlier.map(transaction.addsSeats) ?? false }

    /// Whether the period is paid, and the one before was a trial.
    var isConversion: Bool { earlier?.details?.isTrial == true && transaction.details?.isTrial != true }

    var beginning: Beginning { transaction.beginning(after: earlier) }

    /// Why the subscription ended with this period by itself; `nil` if it continues, ended otherwise, or may continue.
    ///
    /// A newer statement about the renewal replaces the older one, so that the reason of an end is not known any more
    /// once the subscription began again.
    ///
    /// - Parameter date: the current date.
    func reasonOfEnd(at date: Date) -> String? {
        guard transaction.ownershipType == .purchased, !transaction.isUpgraded,
            let end = transaction.expirationDate, end <= date,
            transaction.revocation.map({ $0.date >= end }) ?? true
        else { return nil }
        if let later { return transaction.isEnd(before: later, at: end) ? ReportTally.unknown : nil }
        guard let renewal, renewal.signedDate >= transaction.purchaseDate else { return ReportTally.unknown }
        if renewal.isInBillingRetry { return nil }
        if let grace = renewal.gracePeriodExpirationDate, grace > date { return nil }
        let reason = renewal.expirationReason.map(SubscriptionStatus.ExpirationReason.init(intent:))
        return reason?.rawValue ?? ReportTally.unknown
    }

    /// Whether a refund ended the subscription.
    var endedByRefund: Bool {
        guard transaction.ownershipType == .purchased, !transaction.isUpgraded,
            let refund = transaction.revocation?.date, let end = transaction.expirationDate, refund < end
        else { return false }
        return later.map { transaction.isEnd(before: $0, at: refund) } ?? true
    }

    /// Whether the subscription runs in this period at an instant within it.
    func runs(at date: Date) -> Bool {
        guard transaction.ownershipType == .purchased, transaction.purchaseDate <= date,
            transaction.revocation.map({ $0.date > date }) ?? true
        else { return false }
        return later.map { $0.purchaseDate > date } ?? true
    }
}

extension Transaction {
    /// Whether the App Store renewed it; if no copy says so, every transaction but the first of an original one.
    var isRenewal: Bool { details?.reason.map { $0 == PurchaseDetails.renewalReason } ?? (id != originalID) }

    /// - Parameter earlier: the period before; `nil` if none is recorded.
    fileprivate func beginning(after earlier: Transaction?) -> ReportedTransaction.Beginning {
        if isRenewal { return .renewal }
        if id == originalID { return .start }
        guard let earlier else { return .restart }
        if earlier.isUpgraded { return .upgrade }
        let ends = [earlier.expirationDate, earlier.revocation?.date].compactMap(\.self)
        return ends.contains { $0 <= purchaseDate } ? .restart : .upgrade
    }

    /// Whether the subscription ended with this period and began again with a later one.
    fileprivate func isEnd(before later: Transaction, at end: Date) -> Bool {
        !later.isRenewal && later.purchaseDate >= end
    }

    /// The name of the type of the offer that was used; `nil` if no copy states one.
    var offerName: String? {
        switch details?.offer?.type {
        case 1: "introductory"
        case 2: "promotional"
        case 3: "offerCode"
        case 4: "winBack"
        case nil where details?.isIntroductoryPeriod == true: "introductory"
        case nil where details?.offer == nil: nil
        default: "other"
        }
    }

    /// The version of the app that made or presented it; ``ReportTally/unknown`` if none is known in numbers.
    var versionName: String {
        guard let version = details?.appVersion, AppVersion.numbers(of: version) != nil else {
            return ReportTally.unknown
        }
        return version
    }

    /// The price of all units with its currency, of a subscription of all seats; `nil` if no copy states both.
    var statedPrice: (amount: Int, currency: String)? {
        guard let price = details?.price, price >= 0, let currency = details?.currency else { return nil }
        return (provenType == .autoRenewable ? price.saturatingMultiplied(by: quantity) : price, currency)
    }
}
