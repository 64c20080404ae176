import Foundation
import InAppPurchase

/// The payload of a signed app transaction (Apple, AppTransaction) in the Server API's form, without a device. Dates
/// are milliseconds since 1970.
struct SignedAppTransaction: Encodable {
    var receiptType: String
    var appAppleId: Int?
    var bundleId: String
    var applicationVersion = SimulatorAppReceipt.applicationVersion
    var originalApplicationVersion = SimulatorAppReceipt.applicationVersion
    var receiptCreationDate: Int
    var originalPurchaseDate = SimulatorAppReceipt.originalPurchaseDate.milliseconds
    var appTransactionId: String
    var originalPlatform = "iOS"

    init(_ customer: Customer, appAppleID: Int?, signedDate: Date) {
        receiptType = customer.environment.rawValue
        bundleId = customer.app.text
        appAppleId = appAppleID
        receiptCreationDate = signedDate.milliseconds
        appTransactionId = customer.appTransactionID
    }
}
