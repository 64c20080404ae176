public import Foundation

/// An App Store Server Notification, version 1 or 2: an event of a purchase that the App Store sends without a request.
///
/// The newest facts win whichever notification arrives first, so notifications may be applied in any order.
public struct AppStoreNotification: Sendable {
    /// The ``type`` of a request for consumption information, which is answered from the recorded transactions.
    public static let consumptionRequest = "CONSUMPTION_REQUEST"
    /// The ``type`` of a notification that the server's operator requested, to see whether it arrives.
    public static let test = "TEST"

    /// The ``type`` of the end of a refund, whichever transaction ID had named it.
    package static let refundReversed = "REFUND_REVERSED"

    /// The types that this version knows: Apple, notificationType.
    package static let knownTypes: Set<String> = [
        "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RENEW",
        "EXPIRED", "EXTERNAL_PURCHASE_TOKEN", "GRACE_PERIOD_EXPIRED", "METADATA_UPDATE", "MIGRATION", "OFFER_REDEEMED",
        "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "REFUND_REVERSED",
        "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "RESCIND_CONSENT", "REVOKE", "SUBSCRIBED", "TEST", "UNCLAIM_SEATS",
    ]

    /// The notification's identifier, the same for every attempt to send it: `notificationUUID`; for version 1, which
    /// has none, a hash of the notification.
    public var id: String
    /// Apple's `notificationType`; may be a value that this version does not know.
    public var type: String
    /// Apple's `subtype`; `nil` if the notification has none.
    public var subtype: String?
    /// The app; `nil` if the notification is about no app (some summaries).
    public var app: BundleID?
    /// The environment; `nil` if the notification states none.
    public var environment: Environment?
    /// Apple's `signedDate`.
    public var signedDate: Date
    /// The notification as it was received; stored so that the App Store's statements can be audited.
    public var content: String
    /// The verified facts in the notification; empty if it is about no transaction.
    public var facts: VerifiedReceipt
    /// The customer's reason for a refund request (`consumptionRequestReason`); only in a consumption request.
    public var consumptionRequestReason: String?
    /// Whether the store sent it to this server by itself; a server also fetches those that never came.
    package var isDelivered = true
    /// The result of an extension for all subscribers; `nil` in any other notification.
    package var extensionSummary: ExtensionSummary?

    /// A notification whose facts were verified; that of a reversed refund says so for each transaction in it.
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
        if type == Self.refundReversed { self.facts.transactions = facts.transactions.map(\.reversingRevocation) }
        self.consumptionRequestReason = consumptionRequestReason
    }
}

/// The result of an extension of the renewal dates of all subscribers of a product (Apple, `summary`).
package struct ExtensionSummary: Hashable, Sendable {
    package var request: UUID
    package var product: ProductID
    /// The number of subscriptions that were extended.
    package var extended: Int
    /// The number of subscriptions that were not extended.
    package var failed: Int

    package init(request: UUID, product: ProductID, extended: Int, failed: Int) {
        self.request = request
        self.product = product
        self.extended = extended
        self.failed = failed
    }
}
