import Foundation
import InAppPurchase

/// The last test notification of an app in one environment.
struct TestNotificationRecord: Codable, Hashable, Sendable {
    var app: BundleID
    var environment: Environment
    /// A whole millisecond.
    var requestedAt: Date
    /// The date of its arrival at this server; `nil` if it has not come.
    var arrivedAt: Date?
    /// The words with which the store refused to send one; `nil` if it did not.
    var refusal: String?

    init(_ scope: (app: BundleID, environment: Environment), requestedAt: Date) {
        app = scope.app
        environment = scope.environment
        self.requestedAt = Date(milliseconds: requestedAt.milliseconds)
    }
}
