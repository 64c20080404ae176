import InAppPurchase

/// A handler's answer for one product.
struct HistoryAnswer: Sendable {
    var entitlement: Entitlement
    /// Whether the credits are those that ``PurchaseHistory/credits(of:)`` counts.
    var followsTheRule: Bool
}
