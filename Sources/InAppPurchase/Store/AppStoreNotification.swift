public import Foundation

/// What the App Store tells without being asked (App Store Server Notifications): something happened to a purchase.
///
/// The newest facts win whichever notification comes first, so notifications may be applied in any order.
public struct AppStoreNotification: Sendable {
    /// The ``type`` of a question that is answered from the records.
    public static let consumptionRequest = "CONSUMPTION_REQUEST"

    /// The same for every delivery of one notification: `notificationUUID`; of version 1, which has none, a hash of it.
    public var id: String
    /// The store's word, also one that is not known here (`notificationType`).
    public var type: String
    public var subtype: String?
    /// Nil where the notification is about no app (some summaries).
    public var app: BundleID?
    public var environment: Environment?
    public var signedDate: Date
    /// As it came; kept for the audit of what the store said.
    public var content: String
    /// What it vouches for. Empty where it is about no transaction.
    public var facts: VerifiedReceipt
    /// Why the customer wants the money back (`consumptionRequestReason`); only of a consumption request.
    public var consumptionRequestReason: String?

    public init(
        id: String, type: String, subtype: String? = nil, app: BundleID?, environment: Environment?, signedDate: Date,
        content: String, facts: VerifiedReceipt = VerifiedReceipt(transactions: []),
        consumptionRequestReason: String? = nil
    ) {
        self.id = id
        self.type = type
        self.subtype = subtype
        self.app = app
        self.environment = environment
        self.signedDate = signedDate
        self.content = content
        self.facts = facts
        self.consumptionRequestReason = consumptionRequestReason
    }
}
