/// What an app tells of a purchase that its customer wants refunded, within 12 hours of being asked, and only where the
/// customer consented to it.
///
/// Source: Apple, "Send Consumption Information", ConsumptionRequest.
public struct ConsumptionInformation: Hashable, Codable, Sendable {
    public enum DeliveryStatus: String, Hashable, Codable, Sendable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    public enum RefundPreference: String, Hashable, Codable, Sendable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    /// The store refuses everything but true.
    public var customerConsented: Bool
    public var deliveryStatus: DeliveryStatus
    /// Whether the customer could try it before.
    public var sampleContentProvided: Bool
    /// In thousandths of a percent, 0 to 100 000; 0 where it was not delivered, between them for a prorated refund, and
    /// nil for auto-renewable subscriptions.
    public var consumptionPercentage: Int?
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
