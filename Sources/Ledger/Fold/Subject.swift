import InAppPurchase

/// A product in an app and environment.
struct Subject: Hashable, Sendable {
    var scope: Scope
    var product: ProductID
}
