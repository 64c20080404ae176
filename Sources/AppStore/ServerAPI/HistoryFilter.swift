public import Foundation
public import InAppPurchase

/// A filter for transaction histories; a transaction must satisfy all conditions that are set.
///
/// Source: Apple, "Get Transaction History", query parameters.
public struct HistoryFilter: Hashable, Sendable {
    /// Apple's `productType`.
    public enum ProductType: String, Hashable, Sendable {
        /// Auto-renewable subscriptions.
        case autoRenewable = "AUTO_RENEWABLE"
        /// Non-renewing subscriptions.
        case nonRenewable = "NON_RENEWABLE"
        /// Consumables.
        case consumable = "CONSUMABLE"
        /// Non-consumables.
        case nonConsumable = "NON_CONSUMABLE"
    }

    /// Apple's `sort`: the order by the date of the last change.
    public enum Order: String, Hashable, Sendable {
        /// Oldest change first.
        case ascending = "ASCENDING"
        /// Newest change first.
        case descending = "DESCENDING"
    }

    /// The earliest purchase date, included; `nil` for no limit.
    public var startDate: Date?
    /// The latest purchase date, excluded; `nil` for no limit.
    public var endDate: Date?
    /// The products; empty for all. The same holds for the other lists.
    public var productIDs: [ProductID] = []
    /// The product types; empty for all.
    public var productTypes: [ProductType] = []
    /// The subscription groups; empty for all.
    public var subscriptionGroupIDs: [String] = []
    /// The ownership type; `nil` for all.
    public var ownershipType: Transaction.OwnershipType?
    /// Only revoked transactions, or only those that are not; `nil` for both.
    public var isRevoked: Bool?
    /// The order of the transactions.
    public var order = Order.ascending

    /// Creates a filter that matches all transactions.
    public init() {}

    var query: [(name: String, value: String)] {
        let single: [(String, String?)] = [
            ("startDate", startDate.map { String($0.milliseconds) }),
            ("endDate", endDate.map { String($0.milliseconds) }),
            ("inAppOwnershipType", ownershipType?.rawValue), ("revoked", isRevoked.map { String($0) }),
            ("sort", order.rawValue),
        ]
        return single.compactMap { name, value in value.map { (name, $0) } }
            + productIDs.map { ("productId", $0.text) } + productTypes.map { ("productType", $0.rawValue) }
            + subscriptionGroupIDs.map { ("subscriptionGroupIdentifier", $0) }
    }
}
