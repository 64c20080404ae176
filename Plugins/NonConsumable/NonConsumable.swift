public import Foundation
public import InAppPurchase

/// Bought once and kept: a word pack, a theme.
public struct NonConsumable: ProductHandler {
    public static let productType = ProductType.nonConsumable

    public init() {}

    /// Access without end while one purchase stands, bought or shared by the family; else it was taken back.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let isOwned = history.purchases.contains {
            $0.transaction.productID == product && $0.transaction.revocation == nil
        }
        return Entitlement(
            access: isOwned ? .granted(until: nil) : .denied(.revoked), credits: history.credits(of: product))
    }
}
