import Foundation
import InAppPurchase

/// The members of a signed AppTransaction that are used, under Apple's names; all others are ignored.
struct AppTransactionPayload: Decodable {
    var appTransactionId: Lenient<String>?
    var bundleId: BundleID
    var appAppleId: Int?
    /// The environment.
    var receiptType: String?
    var originalPurchaseDate: AppStoreDate
    var originalApplicationVersion: String
    var receiptCreationDate: AppStoreDate

    func transaction(in environment: Environment) -> AppTransaction {
        AppTransaction(
            id: (appTransactionId?.value).flatMap { $0.isEmpty ? nil : $0 }, app: bundleId,
            appAppleID: appAppleId.flatMap { $0 > 0 ? $0 : nil },
            environment: environment, originalPurchaseDate: originalPurchaseDate.date,
            originalAppVersion: originalApplicationVersion, signedDate: receiptCreationDate.date)
    }
}
