public import Foundation

/// A plugin for one type of product: decides entitlements from a purchase history.
///
/// A handler's stored properties are its product's settings, decoded from the product's entry in `products.json`, so a
/// wrong setting stops the start and not a customer at checkout. The same properties are the terms that are stored with
/// every purchase. Members that every product may have (`credits`, `bundles`, `group`, `level`) are read for all types;
/// a handler that uses one declares it too.
public protocol ProductHandler: Codable, Sendable {
    /// The `type` of the products that it handles.
    static var productType: ProductType { get }

    /// The entitlement to one product.
    ///
    /// Pure, and neither `async` nor throwing: the ledger calls it inside the database transaction that records the
    /// answer, and calls it again at any time. The answer must not depend on anything but the arguments.
    ///
    /// - Parameters:
    ///   - product: one of the products in the history.
    ///   - history: all purchases of the product, or of its whole group if it has one.
    ///   - date: the time to decide for.
    static func entitlement(to product: ProductID, given history: PurchaseHistory<Self>, at date: Date) -> Entitlement

    /// Whether a refund ended all access by a purchase under these terms; by default any refund does, even a partial
    /// one.
    ///
    /// The app is then told `revoked` for the transaction, whatever other purchases give access to the product.
    func isRevoked(_ transaction: Transaction) -> Bool

    /// The settings that only products of this type have, for the form in which administrators edit a product; by
    /// default none. One that is left out can be edited as JSON.
    static var settings: [ProductSetting] { get }
}

extension ProductHandler {
    /// The default: the form shows no settings of the type.
    public static var settings: [ProductSetting] { [] }

    /// The default: any refund, even a partial one, ends access.
    public func isRevoked(_ transaction: Transaction) -> Bool { transaction.revocation != nil }
}

extension Purchase where Terms: ProductHandler {
    /// Whether a refund ended all access by the purchase; see ``ProductHandler/isRevoked(_:)``.
    public var isRevoked: Bool { terms.isRevoked(transaction) }
}
