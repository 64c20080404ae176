/// The answer to a request for consumption information about a refund. It is due within 12 hours, and may be sent only
/// with the customer's consent.
///
/// Source: Apple, "Send Consumption Information", ConsumptionRequest.
public struct ConsumptionInformation: Hashable, Codable, Sendable {
    /// Apple's `deliveryStatus`.
    public enum DeliveryStatus: String, Hashable, Codable, Sendable {
        /// The purchase was delivered and works.
        case delivered = "DELIVERED"
        /// Not delivered because of a quality issue.
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        /// The wrong item was delivered.
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        /// Not delivered because of a server outage.
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        /// Not delivered for another reason.
        case other = "UNDELIVERED_OTHER"
    }

    /// Apple's `refundPreference`: the refund that the developer prefers.
    public enum RefundPreference: String, Hashable, Codable, Sendable {
        /// No refund.
        case decline = "DECLINE"
        /// A refund of the whole price.
        case grantFull = "GRANT_FULL"
        /// A refund of the part that was not consumed.
        case grantProrated = "GRANT_PRORATED"
    }

    /// Whether the customer consented; the App Store refuses any other value than `true`.
    public var customerConsented: Bool
    /// Whether the purchase was delivered.
    public var deliveryStatus: DeliveryStatus
    /// Whether the customer could try the content before the purchase.
    public var sampleContentProvided: Bool
    /// The consumed share in thousandths of a percent, 0 to 100,000: 0 if it was not delivered, in between for a
    /// prorated refund, and `nil` for auto-renewable subscriptions.
    public var consumptionPercentage: Int?
    /// The preferred refund; `nil` states none.
    public var refundPreference: RefundPreference?

    public init(
        customerConsented: Bool, deliveryStatus: DeliveryStatus, sampleContentProvided: Bool,
        consumptionPercentage: Int? = nil, refundPreference: RefundPreference? = nil
    ) {
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }
}
