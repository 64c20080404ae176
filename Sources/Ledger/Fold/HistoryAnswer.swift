import InAppPurchase

/// A handler's answer on one product.
struct HistoryAnswer: Sendable {
    var entitlement: Entitlement
    /// The credits are those that ``PurchaseHistory/credits(of:)`` counts.
    var followsTheRule: Bool
}
