public import Foundation

/// https://developer.apple.com/documentation/storekit/appstore
@available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
public enum AppStore {
    /// https://developer.apple.com/documentation/storekit/appstore/deviceverificationid
    public static var deviceVerificationID: UUID? { fatalError() }
    /// https://developer.apple.com/documentation/storekit/appstore/canmakepayments
    public static var canMakePayments: Bool { fatalError() }
    /// https://developer.apple.com/documentation/storekit/appstore/sync()
    public static func sync() async throws { fatalError() }

    /// https://developer.apple.com/documentation/storekit/appstore/environment
    @available(iOS 16.0, macOS 13.0, visionOS 1.0, *)
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/appstore/environment/rawvalue
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// https://developer.apple.com/documentation/storekit/appstore/environment/production
        public static let production = Environment(rawValue: "")
        /// https://developer.apple.com/documentation/storekit/appstore/environment/sandbox
        public static let sandbox = Environment(rawValue: "")
        /// https://developer.apple.com/documentation/storekit/appstore/environment/xcode
        public static let xcode = Environment(rawValue: "")
    }
}

/// https://developer.apple.com/documentation/storekit/storekiterror
@available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
public enum StoreKitError: Error {
    /// https://developer.apple.com/documentation/storekit/storekiterror/unknown
    case unknown
    /// https://developer.apple.com/documentation/storekit/storekiterror/usercancelled
    case userCancelled
    /// https://developer.apple.com/documentation/storekit/storekiterror/systemerror(_:)
    case systemError(any Error)
    /// https://developer.apple.com/documentation/storekit/storekiterror/notavailableinstorefront
    case notAvailableInStorefront
    /// https://developer.apple.com/documentation/storekit/storekiterror/notentitled
    case notEntitled
}

/// https://developer.apple.com/documentation/storekit/purchaseintent
@available(iOS 16.4, macOS 14.4, *)
@available(visionOS, unavailable)
public struct PurchaseIntent: Equatable, Sendable {
    /// https://developer.apple.com/documentation/storekit/purchaseintent/product
    public let product: Product
    /// https://developer.apple.com/documentation/storekit/purchaseintent/offer
    @available(iOS 18.0, macOS 15.0, *)
    public let offer: Product.SubscriptionOffer?
    /// https://developer.apple.com/documentation/storekit/purchaseintent/intents
    public static var intents: PurchaseIntents { fatalError() }

    /// https://developer.apple.com/documentation/storekit/purchaseintent/purchaseintents
    public struct PurchaseIntents: AsyncSequence {
        public typealias Element = PurchaseIntent

        /// https://developer.apple.com/documentation/storekit/purchaseintent/purchaseintents/iterator
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> PurchaseIntent? { fatalError() }
        }

        /// https://developer.apple.com/documentation/storekit/purchaseintent/purchaseintents/makeasynciterator()
        public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    }
}

/// https://developer.apple.com/documentation/storekit/storefront
@available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
public struct Storefront: Identifiable, Sendable {
    /// https://developer.apple.com/documentation/storekit/storefront/id
    public let id: String
    /// https://developer.apple.com/documentation/storekit/storefront/countrycode
    public let countryCode: String
    /// https://developer.apple.com/documentation/storekit/storefront/current
    @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
    public static var current: Storefront? {
        get async { fatalError() }
    }
    /// https://developer.apple.com/documentation/storekit/storefront/updates
    @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
    public static var updates: Storefronts { fatalError() }

    /// https://developer.apple.com/documentation/storekit/storefront/storefronts
    @available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
    public struct Storefronts: AsyncSequence, Sendable {
        public typealias Element = Storefront

        /// https://developer.apple.com/documentation/storekit/storefront/storefronts/asynciterator
        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async -> Storefront? { fatalError() }
        }

        /// https://developer.apple.com/documentation/storekit/storefront/storefronts/makeasynciterator()
        public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    }
}
