public import Foundation

/// https://developer.apple.com/documentation/storekit/product
@available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
public struct Product: Identifiable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/storekit/product/id
    public let id: String
    /// https://developer.apple.com/documentation/storekit/product/type
    public let type: ProductType
    /// https://developer.apple.com/documentation/storekit/product/displayname
    public let displayName: String
    /// https://developer.apple.com/documentation/storekit/product/description
    public let description: String
    /// https://developer.apple.com/documentation/storekit/product/price
    public let price: Decimal
    /// https://developer.apple.com/documentation/storekit/product/displayprice
    public let displayPrice: String
    /// https://developer.apple.com/documentation/storekit/product/isfamilyshareable
    public let isFamilyShareable: Bool
    /// https://developer.apple.com/documentation/storekit/product/priceformatstyle
    @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
    public var priceFormatStyle: Decimal.FormatStyle.Currency { fatalError() }
    /// https://developer.apple.com/documentation/storekit/product/subscription
    public let subscription: SubscriptionInfo?

    /// https://developer.apple.com/documentation/storekit/product/products(for:)
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String { fatalError() }

    /// https://developer.apple.com/documentation/storekit/product/purchase(options:)
    @available(visionOS, unavailable)
    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult { fatalError() }

    /// https://developer.apple.com/documentation/storekit/product/producttype
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// https://developer.apple.com/documentation/storekit/product/producttype/consumable
        public static let consumable = ProductType(rawValue: "")
        /// https://developer.apple.com/documentation/storekit/product/producttype/nonconsumable
        public static let nonConsumable = ProductType(rawValue: "")
        /// https://developer.apple.com/documentation/storekit/product/producttype/nonrenewable
        public static let nonRenewable = ProductType(rawValue: "")
        /// https://developer.apple.com/documentation/storekit/product/producttype/autorenewable
        public static let autoRenewable = ProductType(rawValue: "")
    }

    /// https://developer.apple.com/documentation/storekit/product/purchaseresult
    public enum PurchaseResult: Sendable {
        /// https://developer.apple.com/documentation/storekit/product/purchaseresult/success(_:)
        case success(VerificationResult<Transaction>)
        /// https://developer.apple.com/documentation/storekit/product/purchaseresult/usercancelled
        case userCancelled
        /// https://developer.apple.com/documentation/storekit/product/purchaseresult/pending
        case pending
    }

    /// https://developer.apple.com/documentation/storekit/product/purchaseoption
    public struct PurchaseOption: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/purchaseoption/appaccounttoken(_:)
        public static func appAccountToken(_ token: UUID) -> PurchaseOption { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/purchaseoption/quantity(_:)
        public static func quantity(_ quantity: Int) -> PurchaseOption { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/purchaseoption/promotionaloffer(_:compactjws:)
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/purchaseoption/introductoryoffereligibility(compactjws:)
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/purchaseoption/winbackoffer(_:)
        @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/purchaseoption/billingplantype(_:)
        @available(iOS 26.4, macOS 26.4, visionOS 26.4, *)
        public static func billingPlanType(_ type: SubscriptionInfo.BillingPlanType) -> PurchaseOption { fatalError() }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptionperiod
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptionperiod/value
        public let value: Int
        /// https://developer.apple.com/documentation/storekit/product/subscriptionperiod/unit-swift.property
        public let unit: Unit

        /// https://developer.apple.com/documentation/storekit/product/subscriptionperiod/unit-swift.enum
        public enum Unit: Hashable, Sendable {
            case day, week, month, year
        }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo
    public struct SubscriptionInfo: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/introductoryoffer
        public let introductoryOffer: SubscriptionOffer?
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/subscriptiongroupid
        public let subscriptionGroupID: String
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/subscriptionperiod
        public let subscriptionPeriod: SubscriptionPeriod
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/groupdisplayname
        @available(iOS 16.4, macOS 13.3, visionOS 1.0, *)
        public var groupDisplayName: String { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/grouplevel
        @available(iOS 16.4, macOS 13.3, visionOS 1.0, *)
        public var groupLevel: Int { fatalError() }
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/iseligibleforintrooffer
        public var isEligibleForIntroOffer: Bool {
            get async { fatalError() }
        }
        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/pricingterms-swift.property
        @available(iOS 26.4, macOS 26.4, visionOS 26.4, *)
        public var pricingTerms: [PricingTerms] { fatalError() }

        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/pricingterms-swift.struct
        @available(iOS 26.4, macOS 26.4, visionOS 26.4, *)
        public struct PricingTerms: Hashable, Sendable {
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/pricingterms-swift.struct/billingplantype
            public let billingPlanType: BillingPlanType
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/pricingterms-swift.struct/billingprice
            public let billingPrice: Decimal
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/pricingterms-swift.struct/billingdisplayprice
            public let billingDisplayPrice: String
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/pricingterms-swift.struct/commitmentinfo
            public let commitmentInfo: CommitmentInfo
        }

        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/billingplantype
        @available(iOS 26.4, macOS 26.4, visionOS 26.4, *)
        public struct BillingPlanType: RawRepresentable, Hashable, Sendable {
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/billingplantype/rawvalue
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/billingplantype/monthly
            public static let monthly = BillingPlanType(rawValue: "")
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/billingplantype/upfront
            public static let upFront = BillingPlanType(rawValue: "")
        }

        /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/commitmentinfo
        @available(iOS 26.4, macOS 26.4, visionOS 26.4, *)
        public struct CommitmentInfo: Hashable, Sendable {
            /// https://developer.apple.com/documentation/storekit/product/subscriptioninfo/commitmentinfo/price
            public let price: Decimal
        }
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer
    public struct SubscriptionOffer: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/price
        public let price: Decimal
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/displayprice
        public let displayPrice: String
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/period
        public let period: SubscriptionPeriod
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/periodcount
        public let periodCount: Int
        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.property
        public let paymentMode: PaymentMode

        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct
        public struct PaymentMode: RawRepresentable, Hashable, Sendable {
            /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct/rawvalue
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct/payasyougo
            public static let payAsYouGo = PaymentMode(rawValue: "")
            /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct/payupfront
            public static let payUpFront = PaymentMode(rawValue: "")
            /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/paymentmode-swift.struct/freetrial
            public static let freeTrial = PaymentMode(rawValue: "")
        }

        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/type
        public let type: OfferType

        /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/offertype
        public struct OfferType: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer/offertype/winback
            @available(iOS 18.0, macOS 15.0, visionOS 2.0, *)
            public static let winBack = OfferType(rawValue: "")
        }
    }
}
