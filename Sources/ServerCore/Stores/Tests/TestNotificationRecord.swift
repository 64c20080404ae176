package import Foundation
package import InAppPurchase
import ServerHTTP

/// The last test notification of an app in one environment.
package struct TestNotificationRecord: Codable, Hashable, Sendable {
    package var app: BundleID
    package var environment: Environment
    /// A whole millisecond.
    package var requestedAt: Date
    /// The date of its arrival at this server; `nil` if it has not come.
    package var arrivedAt: Date?
    /// The words with which the store refused to send one; `nil` if it did not.
    package var refusal: String?

    package init(_ scope: (app: BundleID, environment: Environment), requestedAt: Date) {
        app = scope.app
        environment = scope.environment
        self.requestedAt = Date(milliseconds: requestedAt.milliseconds)
    }
}

/// A store's answer to the request to send a test notification.
package enum TestNotificationAnswer: Hashable, Sendable {
    /// The reason why the store sends none.
    package enum Refusal: String, Hashable, Sendable {
        /// The app has no key for the store's API, so the store was not asked.
        case noKey
        /// The store has no address to send it to.
        case noURL
        /// The store refuses the key, or the request.
        case refused
    }

    /// The store sends one; with the token that asks for its result.
    case requested(token: String)
    /// The store sends none, until somebody changes something; with the store's words.
    case refused(Refusal, String)
    /// The store gave no answer; with the trouble.
    case unavailable(String)
}
