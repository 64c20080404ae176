/// The signed payload of a version 2 notification (Apple, responseBodyV2DecodedPayload). Dates are milliseconds since
/// 1970.
struct SimulatorNotificationPayload: Encodable {
    /// Apple, `data`.
    struct Content: Encodable {
        /// The app's number in the App Store; absent in the sandbox, and if it is not known.
        var appAppleId: Int?
        var bundleId: String
        var bundleVersion = SimulatorAppReceipt.applicationVersion
        var environment: String
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
        var status: Int?
        var consumptionRequestReason: String?
    }

    /// Apple, `summary`.
    struct Summary: Encodable {
        var environment: String
        /// The app's number in the App Store; absent in the sandbox.
        var appAppleId: Int?
        var bundleId: String
        var productId: String
        var requestIdentifier: String
        var storefrontCountryCodes: [String]?
        var succeededCount: Int
        var failedCount: Int
    }

    /// Apple, `unclaimInfo`.
    struct UnclaimInfo: Encodable {
        /// As in ``Content``.
        var appAppleId: Int?
        var bundleId: String
        var environment: String
        var unclaimSeatIds: [String]
    }

    var notificationType: String
    var subtype: String?
    var notificationUUID: String
    var version = "2.0"
    var signedDate: Int
    /// `nil` beside another subject.
    var data: Content?
    var summary: Summary?
    var unclaimInfo: UnclaimInfo?
}
