public import Foundation

/// The state of an auto-renewable subscription, to be shown. Access is decided by the entitlement alone; what the App
/// Store did not state is absent.
public struct SubscriptionDetails: Sendable, Equatable, Decodable {
    /// Whether the customer lets it renew.
    public var willRenew: Bool?
    /// The product of the next renewal.
    public var renewsTo: String?
    /// The time of the next renewal.
    public var renewsAt: Date?
    /// The price of the next renewal, in thousandths of ``currency``; of several seats the average of one.
    public var renewalPrice: Int?
    /// The number of seats that renew; only of subscriptions for several people.
    public var renewalQuantity: Int?
    /// How the current period is paid: `BILLED_UPFRONT`, or `MONTHLY` in a commitment.
    public var billingPlanType: String?
    /// The place of the current period in a year that is paid month by month.
    public var commitment: Commitment?
    /// The currency of the price (ISO 4217).
    public var currency: String?
    /// The price of the current period: `standard`, `trial`, `introductory`, `offer` or another.
    public var phase: String?
    /// The billing issue, if there is one: `grace` still gives access, `retry` does not.
    public var billingIssue: String?
    /// The end of the grace period.
    public var gracePeriodUntil: Date?
    /// Why it ended: `cancelled`, `billing`, `priceIncrease`, `unavailable` or another.
    public var expirationReason: String?
    /// A higher price, if one is to come.
    public var priceIncrease: PriceIncrease?
    /// The win-back offers that the customer may use, the best first.
    public var winBackOffers: [String]
    /// Whether the customer had the introductory offer of the subscription's group.
    public var introductoryOfferUsed: Bool?
    /// The page on which the customer manages subscriptions.
    public var manage: URL?

    /// A higher price that the customer was told of.
    public struct PriceIncrease: Sendable, Equatable, Decodable {
        /// The customer's answer: `pending` or `agreed`.
        public var state: String
        /// The new price, in thousandths of the currency.
        public var newPrice: Int?

        public init(state: String, newPrice: Int? = nil) {
            self.state = state
            self.newPrice = newPrice
        }
    }

    /// A year that is paid month by month.
    public struct Commitment: Sendable, Equatable, Decodable {
        /// The number of the current period, from 1.
        public var billingPeriodNumber: Int?
        /// The number of periods.
        public var totalBillingPeriods: Int?
        /// The price of all periods together, in thousandths of the currency.
        public var commitmentPrice: Int?
        /// The end of the last period.
        public var commitmentExpiresDate: Date?

        private enum CodingKeys: CodingKey {
            case billingPeriodNumber, totalBillingPeriods, commitmentPrice, commitmentExpiresDate
        }

        /// Nothing is known of it. For previews and tests.
        public init() {}

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            billingPeriodNumber = container.lenient(Int.self, .billingPeriodNumber)
            totalBillingPeriods = container.lenient(Int.self, .totalBillingPeriods)
            commitmentPrice = container.lenient(Int.self, .commitmentPrice)
            commitmentExpiresDate = container.lenientTime(.commitmentExpiresDate)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case willRenew
        case renewsTo
        case renewsAt
        case renewalPrice
        case renewalQuantity
        case billingPlanType
        case commitment = "commitmentInfo"
        case currency
        case phase
        case billingIssue
        case gracePeriodUntil
        case expirationReason
        case priceIncrease
        case winBackOffers
        case introductoryOfferUsed
        case manage
    }

    /// Nothing is known of it. For previews and tests.
    public init() { winBackOffers = [] }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        willRenew = container.lenient(Bool.self, .willRenew)
        renewsTo = container.lenient(String.self, .renewsTo)
        renewsAt = container.lenientTime(.renewsAt)
        renewalPrice = container.lenient(Int.self, .renewalPrice)
        renewalQuantity = container.lenient(Int.self, .renewalQuantity)
        billingPlanType = container.lenient(String.self, .billingPlanType)
        commitment = container.lenient(Commitment.self, .commitment)
        currency = container.lenient(String.self, .currency)
        phase = container.lenient(String.self, .phase)
        billingIssue = container.lenient(String.self, .billingIssue)
        gracePeriodUntil = container.lenientTime(.gracePeriodUntil)
        expirationReason = container.lenient(String.self, .expirationReason)
        priceIncrease = container.lenient(PriceIncrease.self, .priceIncrease)
        winBackOffers = container.lenient(elements: String.self, .winBackOffers) ?? []
        introductoryOfferUsed = container.lenient(Bool.self, .introductoryOfferUsed)
        manage = container.lenient(String.self, .manage).flatMap { URL(string: $0) }
    }
}
