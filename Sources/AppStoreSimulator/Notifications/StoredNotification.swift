import Foundation
import InAppPurchase

/// What the store told an app's server, as it was first signed.
struct StoredNotification: Codable, Sendable {
    /// `notificationUUID`.
    var id: String
    var type: String
    var subtype: String?
    var app: BundleID
    var environment: Environment
    /// Of the transaction it is about; a test is about none.
    var originalTransactionID: TransactionID?
    /// Of the customer.
    var appTransactionID: String?
    var version: Int
    var signedDate: Date
    /// The JSON that is posted, the same at every attempt.
    var body: Data

    var storeKey: String { "simulator/notifications/\(AppPlace(app: app, environment: environment).key)/\(id)" }
}
