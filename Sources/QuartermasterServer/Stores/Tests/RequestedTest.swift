import Foundation
import InAppPurchase

/// A test notification that the store sends, as the route answers it.
struct RequestedTest: Encodable, Sendable {
    var app: BundleID
    var environment: Environment
    /// The store's identifier of it.
    var token: String
    var requestedAt: Date
}
