import Foundation
import InAppPurchase

/// The condition of a store, as far as it is known without asking it.
struct StoreCondition: Sendable {
    /// An API of the store in one environment.
    struct Interface: Sendable {
        var name: String
        var environment: Environment
        /// The date since when it does not answer; `nil` if it does, or was not asked yet.
        var outage: Date?
    }

    var interfaces: [Interface]
    /// The apps that have a key for the store's API.
    var appsWithKey: Set<BundleID>
    /// The seconds by which this machine's clock is at least behind the store's.
    var clockDelay: TimeInterval = 0
}
