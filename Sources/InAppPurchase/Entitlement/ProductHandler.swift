public import Foundation

/// The plugin: decides what a purchase history entitles to, for one type of product.
///
/// A handler's stored properties are its product's settings, decoded from the product's entry in `products.json`, so a
/// wrong setting stops the start and not a customer at checkout. The same properties are the terms that are kept with
/// every purchase. Members that every product may have (`credits`, `bundles`, `group`, `level`) are read for all types;
/// a handler that wants to see one declares it too.
public protocol ProductHandler: Codable, Sendable {
    /// The `type` of the products it handles.
    static var productType: ProductType { get }

    /// The entitlement to one product.
    ///
    /// Pure, and neither `async` nor throwing: the ledger asks inside the database transaction that records the answer,
    /// and asks again at any time. The answer must not depend on anything but the arguments.
    ///
    /// - Parameters:
    ///   - product: one of the products in the history.
    ///   - history: all purchases of the product, or of its whole group where it has one.
    ///   - date: the time to decide for.
    static func entitlement(to product: ProductID, given history: PurchaseHistory<Self>, at date: Date) -> Entitlement
}

extension ProductHandler {
    /// Asks the handler with purchases whose terms are not typed yet; those of another type are left out.
    static func decide(
        _ product: ProductID, purchases: [Purchase<Product>], renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Entitlement {
        let own = purchases.compactMap { purchase in
            (purchase.terms.handler as? Self).map {
                Purchase(transaction: purchase.transaction, terms: $0, credits: purchase.terms.credits)
            }
        }
        return entitlement(to: product, given: PurchaseHistory(purchases: own, renewals: renewals), at: date)
    }
}
