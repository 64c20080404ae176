package import InAppPurchase

/// An app in one environment: what balances and entitlements are kept by.
package struct Scope: Hashable, Codable, Sendable {
    package var app: BundleID
    package var environment: Environment

    package init(app: BundleID, environment: Environment) {
        self.app = app
        self.environment = environment
    }
}
