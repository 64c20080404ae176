public import Foundation
public import InAppPurchase

/// Which transactions of a history are wanted; those that satisfy everything that is set.
///
/// Source: Apple, "Get Transaction History", query parameters.
public struct HistoryFilter: Hashable, Sendable {
    public enum ProductType: String, Hashable, Sendable {
        case autoRenewable = "AUTO_RENEWABLE"
        case nonRenewable = "NON_RENEWABLE"
        case consumable = "CONSUMABLE"
        case nonConsumable = "NON_CONSUMABLE"
    }

    /// By the date of the last change.
    public enum Order: String, Hashable, Sendable {
        case ascending = "ASCENDING"
        case descending = "DESCENDING"
    }

    /// Bought then or later.
    public var startDate: Date?
    /// Bought before.
    public var endDate: Date?
    /// Any of these; empty: any at all. So are the other lists.
    public var productIDs: [ProductID] = []
    public var productTypes: [ProductType] = []
    public var subscriptionGroupIDs: [String] = []
    public var ownershipType: Transaction.OwnershipType?
    /// Only those that were taken back, or only those that were not.
    public var isRevoked: Bool?
    public var order = Order.ascending

    public init() {}

    var query: [(name: String, value: String)] {
        let single: [(String, String?)] = [
            ("startDate", startDate.map { String($0.milliseconds) }),
            ("endDate", endDate.map { String($0.milliseconds) }),
            ("inAppOwnershipType", ownershipType?.rawValue), ("revoked", isRevoked.map { String($0) }),
            ("sort", order.rawValue),
        ]
        return single.compactMap { name, value in value.map { (name, $0) } }
            + productIDs.map { ("productId", $0) } + productTypes.map { ("productType", $0.rawValue) }
            + subscriptionGroupIDs.map { ("subscriptionGroupIdentifier", $0) }
    }
}
