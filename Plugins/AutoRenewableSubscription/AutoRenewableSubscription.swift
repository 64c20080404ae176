public import Foundation
public import InAppPurchase

/// A subscription that the App Store renews and ends. A customer has one product of a subscription group at a time.
public struct AutoRenewableSubscription: ProductHandler, Equatable {
    public static let productType = ProductType.autoRenewable
    public static let settings = [
        ProductSetting(
            "renewalLeewayMinutes",
            "How long access goes on after a period that is about to be renewed, in minutes from 0 to 60; 5 if it is "
                + "not said.")
    ]

    /// The range of the setting. A subscription that is not renewed an hour after its period is not renewed as usual.
    private static let leewayMinuteBounds = 0...60
    /// The default leeway: renewals are signed around the end of a period, and notifications take a minute or two to
    /// arrive.
    private static let usualLeewayMinutes = 5

    /// The subscription group in App Store Connect, whose products share a history; `nil` if the product has its own.
    public var group: String?
    /// The rank in the group, `1` the highest; `nil` is below all others.
    public var level: Int?
    /// How long access continues after a period that the App Store is about to renew, in minutes; `nil` means 5.
    public var renewalLeewayMinutes: Int?

    public init(group: String? = nil, level: Int? = nil, renewalLeewayMinutes: Int? = nil) {
        self.group = group
        self.level = level
        self.renewalLeewayMinutes = renewalLeewayMinutes
    }

    /// - Throws: `DecodingError` if `renewalLeewayMinutes` is not a whole number in 0...60.
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

    /// The entitlement by the best original transaction: of several that are granted, such as the customer's own and a
    /// family member's, the one of the highest level, and of the same level the newest; if none is granted, the newest
    /// gives the reason. Original transactions of one product give access until the latest of their ends.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let originals = SubscriptionPeriods.periodsByOriginal(of: history)
            .compactMap { $0.rankedAccess(history.renewals[$0.original], at: date) }
        let own = history.purchases.filter { $0.transaction.productID == product }.map(Period.init)
            .min { $0.recency < $1.recency }
        return Entitlement(
            access: access(to: product, by: originals, newest: own, at: date), credits: history.credits(of: product))
    }

    /// - Parameter newest: the newest period of the product.
    static func access(
        to product: ProductID, by originals: [SubscriptionPeriods.RankedAccess], newest: Period?, at date: Date
    ) -> Access {
        if let best = originals.min(by: { $0.rank < $1.rank }), best.product == product {
            let ends = originals.filter { $0.product == product }.compactMap(\.end)
            return ends.max().map { .granted(until: $0) } ?? best.access
        }
        return .denied(newest?.reasonSuperseded(at: date) ?? .expired)
    }

    var leeway: TimeInterval { TimeInterval(renewalLeewayMinutes ?? Self.usualLeewayMinutes) * 60 }
}
