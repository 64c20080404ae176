public import Foundation
public import InAppPurchase

/// Verifies signed transactions, app transactions and renewal info (StoreKit 2).
public struct SignedTransactionVerifier: Sendable {
    /// The maximum size in bytes by default; genuine transactions have 5 to 6 kB.
    public static let maximumSize = 16 << 10

    private let signedData: SignedDataVerifier
    private let xcode: XcodeSignedDataVerifier

    /// Creates a verifier that shares the cache of `signedData`.
    ///
    /// - Parameter xcodeCertificates: see ``TrustAnchors/xcodeCertificates``; without any, data signed by Xcode is
    ///   rejected.
    public init(signedData: SignedDataVerifier, xcodeCertificates: [BundleID: Set<Data>] = [:]) {
        self.signedData = signedData
        xcode = XcodeSignedDataVerifier(certificates: xcodeCertificates)
    }

    /// Creates a verifier with an empty cache.
    public init(anchors: TrustAnchors) {
        signedData = SignedDataVerifier(anchors: anchors)
        xcode = XcodeSignedDataVerifier(certificates: anchors.xcodeCertificates)
    }

    /// Verifies chain, signature, app and environment, and returns the transaction.
    ///
    /// - Parameters:
    ///   - jws: the compact serialization.
    ///   - apps: the apps that are served.
    ///   - bundleID: the app that the client named; `nil` if it named none.
    ///   - maximumSize: in bytes; anything larger is rejected unread.
    ///   - now: data that is signed in the future is not judged; certificates are judged at the date of signing.
    /// - Throws: what ``SignedDataVerifier`` throws; `unsupported` for other signed data than a transaction;
    ///   `bundleID`; `environment` for any but Production and Sandbox, and Xcode if the very certificate that signed is
    ///   configured for the app.
    public func verify(
        _ jws: String, apps: Set<BundleID>, expecting bundleID: BundleID? = nil, maximumSize: Int = maximumSize,
        at now: Date
    ) async throws -> Transaction {
        try await read(jws, maximumSize: maximumSize, at: now) { signed throws(ReceiptRejection) in
            let transaction = try signed.transaction()
            try transaction.app.check(apps: apps, expecting: bundleID)
            return transaction
        }
    }

    /// Verifies chain, signature, app and environment, and returns the transaction or app transaction.
    ///
    /// - Parameters:
    ///   - catalog: the apps that are served. If it has an app's number in the App Store, an app transaction of
    ///     Production with another one is rejected.
    ///   - device: `AppStore.deviceVerificationID`; `nil` if the client did not name it. A mismatch rejects nothing.
    /// - Throws: as ``verify(_:apps:expecting:maximumSize:at:)``, `unsupported` for other signed data, `appAppleID`.
    public func receipt(
        _ jws: String, catalog: Catalog, expecting bundleID: BundleID? = nil, for device: UUID? = nil,
        maximumSize: Int = maximumSize, at now: Date
    ) async throws -> SignedReceipt {
        try await read(jws, maximumSize: maximumSize, at: now) { signed throws(ReceiptRejection) in
            let receipt = try signed.receipt(for: device)
            try receipt.app.check(apps: Set(catalog.apps.map(\.bundleID)), expecting: bundleID)
            if case .appTransaction(let transaction) = receipt {
                try catalog.check(appAppleID: transaction.appAppleID, of: transaction.app, in: transaction.environment)
            }
            return receipt
        }
    }

    /// The app transaction as in ``receipt(_:catalog:expecting:for:maximumSize:at:)``, without a check of its app.
    func appTransaction(_ jws: String, maximumSize: Int, at now: Date) async throws -> AppTransaction {
        try await read(jws, maximumSize: maximumSize, at: now) { signed throws(ReceiptRejection) in
            try signed.appTransaction()
        }
    }

    /// Verifies chain, signature and environment, and returns the renewal info.
    ///
    /// It names no app: it may be attributed to the app of the transaction or notification that it came with.
    ///
    /// - Parameter app: the app whose Xcode certificate is trusted; `nil` rejects renewal info signed by Xcode.
    /// - Throws: as ``verify(_:apps:expecting:maximumSize:at:)``; `unsupported` for other data than renewal info.
    public func verifyRenewalInfo(
        _ jws: String, of app: BundleID? = nil, maximumSize: Int = maximumSize, at now: Date
    ) async throws -> SignedRenewalInfo {
        try await read(jws, app: app, maximumSize: maximumSize, at: now, Self.renewalInfo)
    }

    private static func renewalInfo(_ signed: SignedPayload) throws(ReceiptRejection) -> SignedRenewalInfo {
        guard signed.has("originalTransactionId"), signed.has("autoRenewStatus"), !signed.has("transactionId") else {
            throw ReceiptRejection(.unsupported, "not renewal info")
        }
        let payload = try signed.decode(RenewalInfoPayload.self)
        return SignedRenewalInfo(
            originalTransactionID: payload.originalTransactionId.id,
            environment: try signed.environment(named: payload.environment), facts: payload.facts)
    }

    private func read<Value>(
        _ jws: String, app: BundleID? = nil, maximumSize: Int, at now: Date,
        _ claims: (SignedPayload) throws(ReceiptRejection) -> Value
    ) async throws -> Value {
        do {
            return try await signedData.read(jws, maximumSize: maximumSize, at: now, claims)
        } catch let error as ReceiptRejection {
            // The App Store's data has three certificates and Xcode's one, so nothing can pass for both.
            guard error.reason == .chain, let jws = try? XcodeJWS(jws, maximumSize: maximumSize) else { throw error }
            return try claims(xcode.payload(of: jws, app: app, at: now))
        }
    }
}

extension SignedReceipt {
    fileprivate var app: BundleID {
        switch self {
        case .transaction(let transaction, _): transaction.app
        case .appTransaction(let transaction): transaction.app
        }
    }
}

extension BundleID {
    fileprivate func check(apps: Set<BundleID>, expecting bundleID: BundleID?) throws(ReceiptRejection) {
        guard apps.contains(self) else { throw ReceiptRejection(.bundleID, "an app not served here") }
        guard bundleID == nil || bundleID == self else {
            throw ReceiptRejection(.bundleID, "not the app that the client named")
        }
    }
}

/// A verified receipt of StoreKit 2: a signed transaction or app transaction.
public enum SignedReceipt: Hashable, Sendable {
    /// A transaction.
    ///
    /// - Parameter isForDevice: whether it was made for the device that was passed to the verifier.
    case transaction(Transaction, isForDevice: Bool = false)
    /// Proof of the app itself: valid, but without a purchase.
    case appTransaction(AppTransaction)

    /// The facts in the receipt; without transactions for an app transaction.
    public var receipt: VerifiedReceipt {
        switch self {
        case .transaction(let transaction, let isForDevice):
            VerifiedReceipt(
                transactions: [transaction],
                evidence: PresentedEvidence(
                    date: transaction.signedDate, transactions: [transaction.id], isForDevice: isForDevice,
                    deviceRemedy: .deviceVerificationID))
        case .appTransaction(let transaction):
            VerifiedReceipt(transactions: [], appTransaction: transaction, appVersion: transaction.appVersion)
        }
    }
}

/// Verified renewal info: the state of a subscription's next renewal.
public struct SignedRenewalInfo: Hashable, Sendable {
    /// Apple's `originalTransactionId`. Renewal info names no app.
    public var originalTransactionID: TransactionID
    /// The environment of the subscription.
    public var environment: Environment
    /// The state of the next renewal.
    public var facts: RenewalFacts
}
