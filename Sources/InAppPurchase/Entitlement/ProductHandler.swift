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

/// The result of a purchase history: access, and the credits earned.
public struct Entitlement: Hashable, Sendable {
    /// Whether the product may be used at the given date.
    public var access: Access
    /// The credits earned by the whole history, before anything is spent.
    public var credits: Credits
    /// The times of access that the purchases add up to, oldest first, for products whose time this server counts;
    /// otherwise empty. Apps show them; they decide nothing.
    public var runs: [DateInterval]

    /// The maximum number of runs that apps are told: no screen shows more, and no answer grows with the years.
    package static let maximumRuns = 20

    public init(access: Access, credits: Credits, runs: [DateInterval] = []) {
        self.access = access
        self.credits = credits
        self.runs = runs
    }
}
