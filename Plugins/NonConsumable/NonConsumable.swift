public import Foundation
public import InAppPurchase

/// Bought once and kept: a word pack, a theme.
public struct NonConsumable: ProductHandler {
    public static let productType = ProductType.nonConsumable

    /// What the refund of a share of the price does to access; it stays where the product does not say.
    public var partialRefund: PartialRefund?

    public init(partialRefund: PartialRefund? = nil) { self.partialRefund = partialRefund }

    /// - Throws: `DecodingError` where `partialRefund` is another word.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        self.init(partialRefund: try entry.decodePartialRefundIfPresent(forKey: .partialRefund))
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { (partialRefund ?? .keep).revokes(transaction) }

    /// Access without end while one purchase stands, bought or shared by the family; else it was taken back.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let isOwned = history.purchases.contains { $0.transaction.productID == product && !$0.isRevoked }
        return Entitlement(
            access: isOwned ? .granted(until: nil) : .denied(.revoked), credits: history.credits(of: product))
    }
}
