import Foundation
import InAppPurchase

/// The members of responseBodyV2DecodedPayload that are used, under Apple's names; all others are ignored.
///
/// Types and subtypes are text, since the store adds to them without notice.
struct NotificationPayload: Decodable {
    /// What a notification is about. It has exactly one of the four, which share most of their members.
    struct Subject: Decodable {
        var appAppleId: Int?
        var bundleId: String?
        var environment: String?
        /// Of an external purchase, which has no ``environment``.
        var externalPurchaseId: String?
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
        var signedAppTransactionInfo: String?
        var consumptionRequestReason: String?
        // Not used, but numbers where they are there, as for Apple's libraries.
        private var status: Double?
        private var succeededCount: Double?
        private var failedCount: Double?
        private var tokenCreationDate: Double?
    }

    var notificationType: String
    var subtype: String?
    var notificationUUID: UUID
    var signedDate: AppStoreDate
    private var data: Subject?
    private var summary: Subject?
    private var externalPurchaseToken: Subject?
    private var appData: Subject?

    /// Nil for a notification about something that is not known here (yet).
    var subject: Subject? { data ?? summary ?? externalPurchaseToken ?? appData }
}

extension NotificationPayload.Subject {
    /// Nil where nothing is said of it.
    ///
    /// - Throws: `environment` for any but Production and Sandbox.
    var storeEnvironment: Environment? {
        get throws(ReceiptRejection) {
            if let environment { return try Environment(signed: environment) }
            return externalPurchaseId.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
        }
    }
}
