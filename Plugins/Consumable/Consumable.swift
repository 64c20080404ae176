public import Foundation
public import InAppPurchase

/// A product that is used up and bought again, such as hints or coins. Its credits are earned once per purchase; its
/// bundles can be downloaded again for a limited time only, since the App Store does not restore consumables.
public struct Consumable: ProductHandler {
    public static let productType = ProductType.consumable

    /// The range of the setting: one hour to ten years.
    private static let redownloadHourBounds = 1...87_600

    /// The bundles; without any the product gives no access.
    public var bundles: [BundleName]?
    /// How long after the purchase the bundles can be downloaded, in hours; 24 if the product does not say.
    public var redownloadHours: Int
    /// The effect of a partial refund on the bundles; `nil` means that access stays. The refunded share of the credits
    /// is taken back in any case.
    public var partialRefund: PartialRefund?

    public init(bundles: [BundleName]? = nil, redownloadHours: Int = 24, partialRefund: PartialRefund? = nil) {
        self.bundles = bundles
        self.redownloadHours = redownloadHours
        self.partialRefund = partialRefund
    }

    /// - Throws: `DecodingError` if `redownloadHours` is not a whole number in 1...87600, or `partialRefund` has an
    ///   unknown value.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        let hours = try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .redownloadHours)
        self.init(
            bundles: try entry.decodeIfPresent([BundleName].self, forKey: .bundles),
            partialRefund: try entry.decodePartialRefundIfPresent(forKey: .partialRefund))
        guard let hours else { return }
        guard Self.redownloadHourBounds.contains(hours) else {
            throw DecodingError.dataCorruptedError(
                forKey: .redownloadHours, in: entry, debugDescription: "not in \(Self.redownloadHourBounds)")
        }
        redownloadHours = hours
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { (partialRefund ?? .keep).revokes(transaction) }

    /// The entitlement by the latest purchase that was not refunded, under the terms of that purchase.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let purchases = history.purchases.filter { $0.transaction.productID == product && !$0.isRevoked }
        let latest = purchases.max { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
        let access = latest.map { $0.terms.access(boughtAt: $0.transaction.purchaseDate, at: date) }
        return Entitlement(access: access ?? .denied(.revoked), credits: history.credits(of: product))
    }

    private func access(boughtAt purchaseDate: Date, at date: Date) -> Access {
        guard bundles?.isEmpty == false else { return .denied(.consumed) }
        let end = purchaseDate.addingTimeInterval(TimeInterval(redownloadHours) * 3600)
        return date < end ? .granted(until: end) : .denied(.expired)
    }
}
