import Foundation
import InAppPurchase

/// The paid periods of one original transaction, with the state of the next renewal. Upgraded purchases are left out,
/// since an upgrade may expire earlier than the purchase it replaced.
struct SubscriptionPeriods {
    typealias Period = Purchase<AutoRenewableSubscription>

    /// The periods, newest first.
    private let periods: [Period]
    private let renewal: RenewalFacts?

    /// The access by one original transaction, with its rank among others.
    struct RankedAccess {
        var product: ProductID
        var access: Access
        /// The order among original transactions; the smallest is the best.
        var rank: (Int, Int, TimeInterval, Int, TransactionID)

        /// The end of access; `nil` if access is denied or has no end.
        var end: Date? { if case .granted(let end?) = access { end } else { nil } }
    }

    static func periodsByOriginal(of history: PurchaseHistory<AutoRenewableSubscription>) -> [SubscriptionPeriods] {
        let periods = history.purchases.filter { !$0.transaction.isUpgraded }
        return Dictionary(grouping: periods, by: \.transaction.originalID).map { original, periods in
            SubscriptionPeriods(periods: periods.sortedByRecency, renewal: history.renewals[original])
        }
    }

    func rankedAccess(at date: Date) -> RankedAccess? {
        decidingPeriod(at: date).map { period in
            let access = access(by: period, at: date)
            let news = period.recency
            return RankedAccess(
                product: period.transaction.productID, access: access,
                rank: (access.isGranted ? 0 : 1, access.isGranted ? news.level : 0, news.age, news.level, news.id))
        }
    }

    /// The period that decides access by the original transaction: the newest, also if it was signed ahead of its
    /// start. But the period that is paid for now decides until a downgrade begins, and if only a later period was
    /// refunded.
    private func decidingPeriod(at date: Date) -> Period? {
        guard let newest = periods.first else { return nil }
        let begun = periods.first { $0.transaction.revocation == nil && $0.transaction.purchaseDate <= date }
        guard let begun, begun.transaction.isPaid(at: date) else { return newest }
        let isDowngradeAhead =
            newest.transaction.purchaseDate > date && newest.transaction.productID != begun.transaction.productID
        return newest.transaction.revocation != nil || isDowngradeAhead ? begun : newest
    }

    /// The access by a period. Grace period and leeway only extend it: those of an earlier period are over.
    private func access(by period: Period, at date: Date) -> Access {
        if period.transaction.revocation != nil { return .denied(.revoked) }
        guard let end = period.transaction.expirationDate else { return .denied(.expired) }
        if end > date { return .granted(until: end) }
        if let grace = renewal?.gracePeriodExpirationDate, grace > end, grace > date { return .granted(until: grace) }
        let leeway = end.addingTimeInterval(period.terms.leeway)
        if leeway > date, isAboutToRenew(period.transaction) { return .granted(until: leeway) }
        return .denied(isInBillingRetry(after: period.transaction) ? .billingRetry : .expired)
    }

    private func isAboutToRenew(_ transaction: Transaction) -> Bool {
        guard let renewal, renewal.willAutoRenew == true else { return false }
        let isExpired = renewal.expirationReason != nil && renewal.signedDate >= transaction.purchaseDate
        return !isExpired && !isInBillingRetry(after: transaction)
    }

    /// Whether the renewal after this purchase is in billing retry. A retry for an earlier period ended with this
    /// purchase.
    private func isInBillingRetry(after transaction: Transaction) -> Bool {
        guard let renewal, renewal.isInBillingRetry else { return false }
        return renewal.signedDate >= transaction.purchaseDate
    }
}

extension Transaction {
    /// Whether the paid period has not ended.
    func isPaid(at date: Date) -> Bool { expirationDate.map { $0 > date } ?? false }
}

extension Purchase<AutoRenewableSubscription> {
    /// The order of purchases, newest first; of one date the higher level first, then the smaller ID, so that it is
    /// stable.
    var recency: (age: TimeInterval, level: Int, id: TransactionID) {
        (-transaction.purchaseDate.timeIntervalSinceReferenceDate, terms.level ?? .max, transaction.id)
    }
}

extension [Purchase<AutoRenewableSubscription>] {
    var sortedByRecency: [Element] { sorted { $0.recency < $1.recency } }
}
