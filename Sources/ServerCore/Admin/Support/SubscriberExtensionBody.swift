import Foundation
import InAppPurchase

/// An extension for all subscribers as the admin API and the command line answer it.
package struct SubscriberExtensionBody: Encodable, Sendable {
    struct Progress: Encodable {
        var complete: Bool
        /// Omitted before the store is done.
        var completedAt: Date?
        var extended: Int
        var failed: Int
    }

    var app: BundleID
    var environment: Environment
    var product: ProductID
    var days: Int
    var request: String
    var requestedAt: Date
    /// Omitted as long as the store has not said how far it is.
    var progress: Progress?

    package init(_ asked: SubscriberExtension) {
        app = asked.app
        environment = asked.environment
        product = asked.product
        days = asked.days
        request = asked.request.text
        requestedAt = asked.requestedAt
        progress = asked.progress.map {
            Progress(
                complete: $0.isComplete, completedAt: $0.completedAt, extended: $0.extended, failed: $0.failed)
        }
    }
}
