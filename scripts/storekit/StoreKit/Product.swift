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
    }

    /// https://developer.apple.com/documentation/storekit/product/subscriptionoffer
    public struct SubscriptionOffer: Hashable, Sendable {
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
