package import InAppPurchase

/// An app in one environment. Balances and entitlements are kept apart by it.
package struct Scope: Hashable, Codable, Sendable {
    package var app: BundleID
    package var environment: Environment

    package init(app: BundleID, environment: Environment) {
        self.app = app
        self.environment = environment
    }

    /// The key of an original transaction.
    package func original(_ id: TransactionID) -> OriginalTransaction.Key {
        OriginalTransaction.Key(app: app, environment: environment, originalID: id)
    }
}
