public import Foundation
public import InAppPurchase

/// Turns signed transactions, app transactions and renewal info (StoreKit 2) into facts of the domain.
public struct SignedTransactionVerifier: Sendable {
    /// Genuine ones have 5 to 6 kB.
    public static let maximumSize = 16 << 10

    private let signedData: SignedDataVerifier
    private let xcode: XcodeSignedDataVerifier

    /// - Parameter xcodeCertificates: see ``TrustAnchors/xcodeCertificates``; without any, nothing that Xcode signs is
    ///   believed.
    public init(signedData: SignedDataVerifier, xcodeCertificates: [BundleID: Set<Data>] = [:]) {
        self.signedData = signedData
        xcode = XcodeSignedDataVerifier(certificates: xcodeCertificates)
    }

    public init(anchors: TrustAnchors) {
        signedData = SignedDataVerifier(anchors: anchors)
        xcode = XcodeSignedDataVerifier(certificates: anchors.xcodeCertificates)
    }

    /// The transaction, once chain, signature, app and environment are verified.
    ///
    /// - Parameters:
    ///   - jws: compact serialization.
    ///   - apps: those that are served.
    ///   - bundleID: the app that the client named, if any.
    ///   - maximumSize: in bytes; anything larger is not looked at.
    ///   - now: to refuse what claims to be signed in the future; certificates are judged at the date of signing.
    /// - Throws: what ``SignedDataVerifier`` throws; `unsupported` for other signed data than a transaction;
    ///   `bundleID`; `environment` for any but Production and Sandbox, and but Xcode where the very certificate that
    ///   signed is configured for the app.
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

    /// The transaction or app transaction, once chain, signature, app and environment are verified.
    ///
    /// - Parameters:
    ///   - catalog: of the apps that are served. Where it has an app's number in the App Store, an app transaction of
    ///     Production with another one is refused.
    ///   - device: `AppStore.deviceVerificationID`, if the client named it; one that does not fit refuses nothing.
    /// - Throws: as ``verify(_:apps:expecting:maximumSize:at:)``, `unsupported` for other signed data, `appAppleID`.
    public func receipt(
        _ jws: String, catalog: Catalog, expecting bundleID: BundleID? = nil, for device: UUID? = nil,
        maximumSize: Int = maximumSize, at now: Date
    ) async throws -> SignedReceipt {
        try await read(jws, maximumSize: maximumSize, at: now) { signed throws(ReceiptRejection) in
            let receipt = try signed.receipt(for: device)
            try receipt.app.check(apps: Set(catalog.apps.map(\.bundleID)), expecting: bundleID)
            if case .appTransaction(let transaction) = receipt {
                try catalog.check(
                    appAppleID: transaction.appAppleID, of: transaction.app, in: transaction.environment)
            }
            return receipt
        }
    }

    /// The app transaction as ``receipt(_:catalog:expecting:maximumSize:at:)`` has it; its app is not looked at.
    func appTransaction(_ jws: String, maximumSize: Int, at now: Date) async throws -> AppTransaction {
        try await read(jws, maximumSize: maximumSize, at: now) { signed throws(ReceiptRejection) in
            try signed.appTransaction()
        }
    }

    /// The renewal info, once chain, signature and environment are verified.
    ///
    /// It names no app. It may be believed of the app of the transaction or notification that it came with.
    ///
    /// - Parameter app: whose certificate of Xcode vouches for it; without, nothing that Xcode signed is believed.
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
            originalTransactionID: payload.originalTransactionId.text,
            environment: try signed.environment(named: payload.environment),
            facts: payload.facts
        )
    }

    private func read<Value>(
        _ jws: String, app: BundleID? = nil, maximumSize: Int, at now: Date,
        _ claims: (SignedPayload) throws(ReceiptRejection) -> Value
    ) async throws -> Value {
        do {
            return try await signedData.read(jws, maximumSize: maximumSize, at: now, claims)
        } catch let error as ReceiptRejection {
            // The store's data has three certificates and Xcode's one, so nothing is ever taken for both.
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
