import Foundation
import InAppPurchase

/// A store's answer to the request to extend a subscription's renewal date.
enum ExtensionAnswer: Sendable {
    /// The new renewal date, and what the store then says about the subscription; `nil` if it did not say it in time.
    case extended(until: Date, VerifiedReceipt?)
    /// The store does not extend it. The string is the store's code and name of the reason.
    case refused(String)
    /// The store knows no such subscription of the app.
    case unknown
    /// The app has no key for the store's API.
    case withoutKey
    /// The store gave no answer. The same request again, with the same ID, extends once.
    case unavailable
}
