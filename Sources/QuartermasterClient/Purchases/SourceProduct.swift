public import Foundation

/// A product as the store shows it to this customer.
public struct SourceProduct: Sendable, Equatable, Identifiable {
    public var id: String
    /// The type, or `nil` if the store has one that this library does not know.
    public var type: ProductType?
    /// The name in the player's language.
    public var displayName: String
    /// The description in the player's language.
    public var description: String
    /// The price in the currency of the player's storefront.
    public var displayPrice: String
    /// The same as a number. `nil` if the source does not state one.
    public var price: Decimal?
    /// The currency of ``price`` (ISO 4217).
    public var currency: String?
    /// Whether the customer's family has it too (Family Sharing).
    public var isFamilyShareable: Bool
    /// The terms of an auto-renewable subscription; `nil` for another product.
    public var subscription: Terms?

    public init(
        id: String, type: ProductType?, displayName: String, description: String, displayPrice: String,
        price: Decimal? = nil, currency: String? = nil, isFamilyShareable: Bool = false, subscription: Terms? = nil
    ) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.description = description
        self.displayPrice = displayPrice
        self.price = price
        self.currency = currency
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
    }

    /// The terms that a subscription screen has to state: how long, how much, and what comes first (App Review 3.1.2).
    public struct Terms: Sendable, Equatable {
        /// The group in App Store Connect: the customer has one subscription of it at a time.
        public var groupID: String
        /// The group's name in the player's language.
        public var groupName: String?
        /// The place in the group, the best being 1. `nil` if the store does not state it.
        public var level: Int?
        /// The time that one payment pays for.
        public var period: Period
        /// The offer for new subscribers, whether or not this customer may have it.
        public var introductoryOffer: Offer?
        /// Whether this customer may have ``introductoryOffer``.
        public var isEligibleForIntroductoryOffer: Bool
        /// The ways to pay; one for most subscriptions, and none before iOS 26.4.
        public var plans: [Plan]

        public init(
            groupID: String, groupName: String? = nil, level: Int? = nil, period: Period,
            introductoryOffer: Offer? = nil, isEligibleForIntroductoryOffer: Bool = false, plans: [Plan] = []
        ) {
            self.groupID = groupID
            self.groupName = groupName
            self.level = level
            self.period = period
            self.introductoryOffer = introductoryOffer
            self.isEligibleForIntroductoryOffer = isEligibleForIntroductoryOffer
            self.plans = plans
        }
    }

    /// A time of so many days, weeks, months or years.
    public struct Period: Sendable, Hashable {
        /// The units, as StoreKit has them.
        public enum Unit: String, Sendable, CaseIterable {
            /// A day, or a calendar's longer unit.
            case day, week, month, year
        }

        /// The number of units.
        public var value: Int
        /// The unit.
        public var unit: Unit

        public init(_ value: Int, _ unit: Unit) {
            self.value = value
            self.unit = unit
        }

        /// - Parameter text: a duration of one part, such as `P1M` (ISO 8601).
        /// - Returns: `nil` for another text.
        public init?(_ text: String) {
            let units: [Character: Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
            guard text.first == "P", let last = text.last, let unit = units[last],
                let value = Int(text.dropFirst().dropLast()), value > 0
            else { return nil }
            self.init(value, unit)
        }
    }

    /// An introductory offer.
    public struct Offer: Sendable, Equatable {
        /// How it is paid. Expect others.
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            public let rawValue: String

            public init(rawValue: String) { self.rawValue = rawValue }

            /// Nothing is paid.
            public static let freeTrial = Self(rawValue: "FREE_TRIAL")
            /// Each of its periods is paid by itself.
            public static let payAsYouGo = Self(rawValue: "PAY_AS_YOU_GO")
            /// All of its periods are paid at the beginning.
            public static let payUpFront = Self(rawValue: "PAY_UP_FRONT")
        }

        /// The way it is paid.
        public var paymentMode: PaymentMode
        /// The length of one of its periods.
        public var period: Period
        /// The number of periods.
        public var periodCount: Int
        /// The price of a period, or of all if they are paid at the beginning.
        public var displayPrice: String
        /// The same as a number.
        public var price: Decimal?

        public init(
            paymentMode: PaymentMode, period: Period, periodCount: Int = 1, displayPrice: String, price: Decimal? = nil
        ) {
            self.paymentMode = paymentMode
            self.period = period
            self.periodCount = periodCount
            self.displayPrice = displayPrice
            self.price = price
        }
    }

    /// A way to pay for a subscription, such as twelve monthly payments for a year. To buy by one that is not the usual
    /// one, pass `.billingPlanType` to ``AppStoreSource``'s `setOptions(_:forNextPurchaseOf:)`.
    public struct Plan: Sendable, Equatable {
        /// The kinds of plans. Expect others.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            public let rawValue: String

            public init(rawValue: String) { self.rawValue = rawValue }

            /// A payment each month, for twelve months at least.
            public static let monthly = Self(rawValue: "MONTHLY")
            /// One payment for the whole period.
            public static let upFront = Self(rawValue: "BILLED_UPFRONT")
        }

        /// The kind.
        public var kind: Kind
        /// The price of each payment.
        public var displayPrice: String
        /// The same as a number.
        public var price: Decimal?
        /// All payments that the customer commits to together.
        public var commitmentPrice: Decimal?

        public init(kind: Kind, displayPrice: String, price: Decimal? = nil, commitmentPrice: Decimal? = nil) {
            self.kind = kind
            self.displayPrice = displayPrice
            self.price = price
            self.commitmentPrice = commitmentPrice
        }
    }
}
