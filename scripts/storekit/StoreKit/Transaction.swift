public import Foundation

/// https://developer.apple.com/documentation/storekit/transaction
@available(iOS 15.0, macOS 12.0, visionOS 1.0, *)
public struct Transaction: Identifiable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/storekit/transaction/id
    public let id: UInt64
    /// https://developer.apple.com/documentation/storekit/transaction/originalid
    public let originalID: UInt64
    /// https://developer.apple.com/documentation/storekit/transaction/productid
    public let productID: String
    /// https://developer.apple.com/documentation/storekit/transaction/appaccounttoken
    public let appAccountToken: UUID?
    /// https://developer.apple.com/documentation/storekit/transaction/revocationdate
    public let revocationDate: Date?
    /// https://developer.apple.com/documentation/storekit/transaction/environment
    @available(iOS 16.0, macOS 13.0, visionOS 1.0, *)
    public let environment: AppStore.Environment

    /// https://developer.apple.com/documentation/storekit/transaction/updates
    public static var updates: Transactions { fatalError() }
    /// https://developer.apple.com/documentation/storekit/transaction/unfinished
    public static var unfinished: Transactions { fatalError() }
    /// https://developer.apple.com/documentation/storekit/transaction/all
    public static var all: Transactions { fatalError() }
    /// https://developer.apple.com/documentation/storekit/transaction/currententitlements
    public static var currentEntitlements: Transactions { fatalError() }
    /// https://developer.apple.com/documentation/storekit/transaction/finish()
    public func finish() async { fatalError() }

    /// https://developer.apple.com/documentation/storekit/transaction/refundrequeststatus
    public enum RefundRequestStatus: Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/transaction/refundrequeststatus/usercancelled
        case userCancelled
        /// https://developer.apple.com/documentation/storekit/transaction/refundrequeststatus/success
        case success
    }

    /// https://developer.apple.com/documentation/storekit/transaction/refundrequesterror
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// https://developer.apple.com/documentation/storekit/transaction/refundrequesterror/duplicaterequest
        case duplicateRequest
        /// https://developer.apple.com/documentation/storekit/transaction/refundrequesterror/failed
        case failed
    }

    /// https://developer.apple.com/documentation/storekit/transaction/transactions
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>

        /// https://developer.apple.com/documentation/storekit/transaction/transactions/asynciterator
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// https://developer.apple.com/documentation/storekit/transaction/transactions/asynciterator/next()
            public mutating func next() async -> VerificationResult<Transaction>? { fatalError() }
        }

        /// https://developer.apple.com/documentation/storekit/transaction/transactions/makeasynciterator()
        public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    }
}

/// https://developer.apple.com/documentation/storekit/apptransaction
@available(iOS 16.0, macOS 13.0, visionOS 1.0, *)
public struct AppTransaction: Hashable, Sendable {
    /// https://developer.apple.com/documentation/storekit/apptransaction/shared
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { fatalError() }
    }
    /// https://developer.apple.com/documentation/storekit/apptransaction/environment
    public let environment: AppStore.Environment
}
