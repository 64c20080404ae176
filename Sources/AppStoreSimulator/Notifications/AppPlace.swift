import InAppPurchase

/// One app in one environment.
struct AppPlace: Hashable, Sendable {
    var app: BundleID
    var environment: Environment

    /// A string safe in a key of the key/value store: no customer has an empty name.
    var key: String { Customer(app: app, environment: environment, name: "").key }
}
