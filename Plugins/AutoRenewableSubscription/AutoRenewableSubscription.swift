public import Foundation
public import InAppPurchase

/// Renewed and ended by the store, which tells the end of every paid period. A customer has one product of a group.
public struct AutoRenewableSubscription: ProductHandler {
    public static let productType = ProductType.autoRenewable

    /// The subscription group as App Store Connect has it; its products share a history.
    public var group: String?
    /// The rank in the group, 1 the highest.
    public var level: Int?

    public init(group: String? = nil, level: Int? = nil) { (self.group, self.level) = (group, level) }

    /// Each line speaks through its newest purchase that no upgrade replaced, since an upgrade may expire earlier than
    /// what it replaced. The newest granted line decides, or the newest where none is.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let newestFirst = history.purchases.sorted(by: isNewer).map(\.transaction)
        var seen: Set<TransactionID> = []
        let lines = newestFirst.filter { !$0.isUpgraded && seen.insert($0.originalID).inserted }.map {
            (product: $0.productID, access: verdict(on: $0, renewal: history.renewals[$0.originalID], at: date))
        }
        var access = Access.denied(.expired)
        if let line = lines.first(where: \.access.isGranted) ?? lines.first, line.product == product {
            access = line.access
        } else if let own = newestFirst.first(where: { $0.productID == product }) {
            access = .denied(reasonSuperseded(own, at: date))
        }
        return Entitlement(access: access, credits: history.credits(of: product))
    }

    /// Of purchases of one date the higher level comes first, then the smaller ID: the order must always be the same.
    private static func isNewer(_ left: Purchase<Self>, _ right: Purchase<Self>) -> Bool {
        (right.transaction.purchaseDate, left.terms.level ?? .max, left.transaction.id)
            < (left.transaction.purchaseDate, right.terms.level ?? .max, right.transaction.id)
    }

    /// A period that the store signs ahead counts at once. Grace only lengthens: that of an earlier period is over.
    private static func verdict(on transaction: Transaction, renewal: RenewalFacts?, at date: Date) -> Access {
        if transaction.revocation != nil { return .denied(.revoked) }
        guard let end = transaction.expirationDate else { return .denied(.expired) }
        if end > date { return .granted(until: end) }
        if let grace = renewal?.gracePeriodExpirationDate, grace > end, grace > date { return .granted(until: grace) }
        return .denied(renewal?.isInBillingRetry == true ? .billingRetry : .expired)
    }

    private static func reasonSuperseded(_ transaction: Transaction, at date: Date) -> DenialReason {
        if transaction.revocation != nil { return .revoked }
        if transaction.isUpgraded { return .upgraded }
        return transaction.expirationDate.map { $0 > date } == true ? .upgraded : .expired
    }
}
