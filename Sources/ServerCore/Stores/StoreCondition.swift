package import Foundation
package import InAppPurchase

/// The condition of a store, as far as it is known without asking it.
package struct StoreCondition: Sendable {
    /// An API of the store in one environment.
    package struct Interface: Sendable {
        package var name: String
        package var environment: Environment
        /// The date since when it does not answer; `nil` if it does, or was not asked yet.
        package var outage: Date?

        package init(name: String, environment: Environment, outage: Date? = nil) {
            self.name = name
            self.environment = environment
            self.outage = outage
        }
    }

    package var interfaces: [Interface]
    /// The apps that have a key for the store's API.
    package var appsWithKey: Set<BundleID>
    /// The apps whose key the store refuses, each with the date since when.
    package var refusedKeys: [BundleID: Date] = [:]
    /// The seconds by which this machine's clock is at least behind the store's.
    package var clockDelay: TimeInterval = 0
    /// The seconds by which this machine's clock is ahead of the store's.
    package var clockLead: TimeInterval = 0
    /// The things of the store that are not set up yet, for all apps of the catalog.
    package var setup: [SetupItem] = []

    package init(interfaces: [Interface], appsWithKey: Set<BundleID>) {
        self.interfaces = interfaces
        self.appsWithKey = appsWithKey
    }
}
