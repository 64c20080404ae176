public import Foundation
public import InAppPurchase

/// A product that is bought once and kept, such as a word pack or a theme.
public struct NonConsumable: ProductHandler {
    public static let productType = ProductType.nonConsumable

    /// The effect of a partial refund on access; `nil` means that access stays.
    public var partialRefund: PartialRefund?

    public init(partialRefund: PartialRefund? = nil) { self.partialRefund = partialRefund }

    /// - Throws: `DecodingError` if `partialRefund` has an unknown value.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        self.init(partialRefund: try entry.decodePartialRefundIfPresent(forKey: .partialRefund))
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { (partialRefund ?? .keep).revokes(transaction) }

    /// Access without end as long as one purchase, own or family-shared, is not revoked; otherwise denied as revoked.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let isOwned = history.purchases.contains { $0.transaction.productID == product && !$0.isRevoked }
        return Entitlement(
            access: isOwned ? .granted(until: nil) : .denied(.revoked), credits: history.credits(of: product))
    }
}
