public import Foundation
public import InAppPurchase

/// Used up and bought again: hints, coins. Its credits are earned once per purchase; what it delivers as bundles may be
/// downloaded again only for a while, since the store restores no consumable.
public struct Consumable: ProductHandler {
    public static let productType = ProductType.consumable

    /// One hour to ten years.
    private static let redownloadHourBounds = 1...87_600

    /// Without any there is nothing to have access to.
    public var bundles: [BundleName]?
    /// How long after the purchase its bundles may be downloaded; 24 where the product does not say.
    public var redownloadHours: Int
    /// What the refund of a share of the price does to its bundles; they stay where the product does not say. Of its
    /// credits that share is taken, whatever this says.
    public var partialRefund: PartialRefund?

    public init(bundles: [BundleName]? = nil, redownloadHours: Int = 24, partialRefund: PartialRefund? = nil) {
        self.bundles = bundles
        self.redownloadHours = redownloadHours
        self.partialRefund = partialRefund
    }

    /// - Throws: `DecodingError` where `redownloadHours` is not a whole number in 1...87600, or `partialRefund` another
    ///   word.
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

    /// The latest purchase that was not refunded decides, under the terms it was bought under.
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
