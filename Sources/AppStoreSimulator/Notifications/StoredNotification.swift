import Foundation
import InAppPurchase

/// A notification as it was first signed.
struct StoredNotification: Codable, Sendable {
    /// `notificationUUID`.
    var id: String
    var type: String
    var subtype: String?
    var app: BundleID
    var environment: Environment
    /// The original transaction that it is about; `nil` for a test.
    var originalTransactionID: TransactionID?
    /// The customer's `appTransactionId`.
    var appTransactionID: String?
    var version: Int
    var signedDate: Date
    /// The JSON that is posted, the same in every attempt.
    var body: Data

    var storeKey: String { "simulator/notifications/\(AppPlace(app: app, environment: environment).key)/\(id)" }
}
