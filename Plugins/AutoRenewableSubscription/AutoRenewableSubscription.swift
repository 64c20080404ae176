public import Foundation
public import InAppPurchase

/// Renewed and ended by the store, which tells the end of every paid period. A customer has one product of a group.
public struct AutoRenewableSubscription: ProductHandler {
    public static let productType = ProductType.autoRenewable

    /// What the store has not renewed an hour later it does not renew as usual.
    private static let leewayMinuteBounds = 0...60
    /// Renewals are signed around the end of a period; the word of it is a minute or two on its way.
    private static let usualLeewayMinutes = 5

    /// The subscription group as App Store Connect has it; its products share a history.
    public var group: String?
    /// The rank in the group, 1 the highest.
    public var level: Int?
    /// How long access goes on after a period that the store is about to renew; 5 where the product does not say.
    public var renewalLeewayMinutes: Int?

    public init(group: String? = nil, level: Int? = nil, renewalLeewayMinutes: Int? = nil) {
        self.group = group
        self.level = level
        self.renewalLeewayMinutes = renewalLeewayMinutes
    }

    /// - Throws: `DecodingError` where `renewalLeewayMinutes` is not a whole number in 0...60.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        let leeway = try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .renewalLeewayMinutes)
        if let leeway, !Self.leewayMinuteBounds.contains(leeway) {
            throw DecodingError.dataCorruptedError(
                forKey: .renewalLeewayMinutes, in: entry, debugDescription: "not in \(Self.leewayMinuteBounds)")
        }
        self.init(
            group: try entry.decodeIfPresent(String.self, forKey: .group),
            level: try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .level), renewalLeewayMinutes: leeway)
    }

    /// Of several original transactions that are granted, as an own one and one of the family, that of the highest level decides, of
    /// one level the newest; where none is granted, the newest tells why. Original transactions of one product are worth the longest.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let originals = SubscriptionPeriods.periodsByOriginal(of: history).compactMap { $0.rankedAccess(at: date) }
            .sorted {
                $0.rank < $1.rank
            }
        var access = Access.denied(.expired)
        if let best = originals.first, best.product == product {
            let ends = originals.filter { $0.product == product }.compactMap(\.end)
            access = ends.max().map { .granted(until: $0) } ?? best.access
        } else if let own = history.purchases.filter({ $0.transaction.productID == product }).sortedByRecency.first {
            access = .denied(reasonSuperseded(own.transaction, at: date))
        }
        return Entitlement(access: access, credits: history.credits(of: product))
    }

    var leeway: TimeInterval { TimeInterval(renewalLeewayMinutes ?? Self.usualLeewayMinutes) * 60 }

    private static func reasonSuperseded(_ transaction: Transaction, at date: Date) -> DenialReason {
        if transaction.revocation != nil { return .revoked }
        return transaction.isUpgraded || transaction.isPaid(at: date) ? .upgraded : .expired
    }
}
