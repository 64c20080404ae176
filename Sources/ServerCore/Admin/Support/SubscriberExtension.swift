package import Foundation
package import InAppPurchase
package import Ledger

/// An extension of the renewal dates of all active subscribers of a product, as an administrator asked for it.
package struct SubscriberExtension: Codable, Hashable, Sendable {
    /// How far the store is, as it says itself.
    package struct Progress: Codable, Hashable, Sendable {
        package var isComplete: Bool
        /// The date when the store was done; `nil` before, and if it did not say it.
        package var completedAt: Date?
        /// The number of subscriptions that were extended.
        package var extended: Int
        /// The number of subscriptions that were not extended.
        package var failed: Int

        package init(isComplete: Bool, completedAt: Date?, extended: Int, failed: Int) {
            self.isComplete = isComplete
            self.completedAt = completedAt
            self.extended = extended
            self.failed = failed
        }
    }

    package var app: BundleID
    package var environment: Environment
    package var product: ProductID
    package var days: Int
    /// The ID of the request at the store.
    package var request: UUID
    /// A whole millisecond.
    package var requestedAt: Date
    /// Whether the store is known to do it.
    package var isAccepted = false
    /// `nil` as long as the store has not said it.
    package var progress: Progress?

    package init(of product: ProductID, in scope: Scope, days: Int, request: UUID, at date: Date) {
        app = scope.app
        environment = scope.environment
        self.product = product
        self.days = days
        self.request = request
        requestedAt = Date(milliseconds: date.milliseconds)
    }
}

extension SubscriberExtension {
    package var scope: Scope { Scope(app: app, environment: environment) }
}
