import Foundation
import InAppPurchase

/// The members of responseBodyV2DecodedPayload that are used, under Apple's names; all others are ignored.
///
/// Types and subtypes are strings, since Apple adds to them without notice.
struct NotificationPayload: Decodable {
    /// The subject of a notification. It has exactly one of the five, which share most of their members.
    struct Subject: Decodable {
        var appAppleId: Int?
        var bundleId: BundleID?
        var environment: String?
        /// The ID of an external purchase, which has no ``environment``.
        var externalPurchaseId: String?
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
        var signedAppTransactionInfo: String?
        var consumptionRequestReason: String?
        /// Apple's status of the subscription, a whole number.
        var status: Double?
        fileprivate var requestIdentifier: String?
        fileprivate var productId: String?
        fileprivate var succeededCount: Double?
        fileprivate var failedCount: Double?
        // Not used, but checked to be a number if it is present, as in Apple's libraries.
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
    /// The seats that the App Store took from members of a group.
    private var unclaimInfo: Subject?

    /// The subject; `nil` for a notification about something that this version does not know.
    var subject: Subject? { data ?? summary ?? externalPurchaseToken ?? appData ?? unclaimInfo }

    /// The result of an extension for all subscribers; `nil` without one, or if it names no request.
    var extensionSummary: ExtensionSummary? {
        guard let summary, let request = summary.requestIdentifier.flatMap({ UUID(uuidString: $0) }),
            let product = summary.productId
        else { return nil }
        return ExtensionSummary(
            request: request, product: ProductID(stored: product),
            extended: summary.succeededCount.flatMap(Int.init(exactly:)) ?? 0,
            failed: summary.failedCount.flatMap(Int.init(exactly:)) ?? 0)
    }
}

extension NotificationPayload.Subject {
    /// The environment; `nil` if the notification states none.
    ///
    /// - Throws: `environment` for any but Production and Sandbox.
    var storeEnvironment: Environment? {
        get throws(ReceiptRejection) {
            if let environment { return try Environment(signed: environment) }
            return externalPurchaseId.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
        }
    }
}
