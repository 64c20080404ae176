public import Foundation
public import InAppPurchase

/// Turns signed transactions and signed renewal info (StoreKit 2) into facts of the domain.
public struct SignedTransactionVerifier: Sendable {
    /// Genuine ones have 5 to 6 kB.
    public static let maximumSize = 16 << 10

    private let signedData: SignedDataVerifier

    public init(signedData: SignedDataVerifier) { self.signedData = signedData }

    public init(anchors: TrustAnchors) { self.init(signedData: SignedDataVerifier(anchors: anchors)) }

    /// The transaction, once chain, signature, app and environment are verified.
    ///
    /// - Parameters:
    ///   - jws: compact serialization, at most ``maximumSize`` bytes.
    ///   - apps: those that are served.
    ///   - bundleID: the app that the client named, if any.
    ///   - now: to refuse what claims to be signed in the future; certificates are judged at the date of signing.
    /// - Throws: what ``SignedDataVerifier`` throws; `unsupported` for other signed data than a transaction;
    ///   `bundleID`; `environment` for any but Production and Sandbox.
    public func verify(
        _ jws: String, apps: Set<BundleID>, expecting bundleID: BundleID? = nil, at now: Date
    ) async throws(ReceiptRejection) -> Transaction {
        let signed = try await signedData.payload(of: jws, maximumSize: Self.maximumSize, at: now)
        guard signed.has("transactionId") else { throw ReceiptRejection(.unsupported, "not a transaction") }
        let payload = try signed.decode(TransactionPayload.self)
        guard apps.contains(payload.bundleId) else { throw ReceiptRejection(.bundleID, "an app not served here") }
        guard bundleID == nil || bundleID == payload.bundleId else {
            throw ReceiptRejection(.bundleID, "not the app that the client named")
        }
        return try payload.transaction(in: Environment(signed: payload.environment))
    }

    /// The renewal info, once chain, signature and environment are verified.
    ///
    /// It names no app. It may be believed of the app of the transaction or notification that it came with.
    ///
    /// - Throws: as ``verify(_:apps:expecting:at:)``, `unsupported` for other signed data than renewal info.
    public func verifyRenewalInfo(_ jws: String, at now: Date) async throws(ReceiptRejection) -> SignedRenewalInfo {
        let signed = try await signedData.payload(of: jws, maximumSize: Self.maximumSize, at: now)
        guard signed.has("originalTransactionId"), signed.has("autoRenewStatus"), !signed.has("transactionId") else {
            throw ReceiptRejection(.unsupported, "not renewal info")
        }
        let payload = try signed.decode(RenewalInfoPayload.self)
        return SignedRenewalInfo(
            originalTransactionID: payload.originalTransactionId.text,
            environment: try Environment(signed: payload.environment),
            facts: payload.facts
        )
    }
}

/// What the store signed about a subscription's next renewal.
public struct SignedRenewalInfo: Hashable, Sendable {
    public var originalTransactionID: TransactionID
    public var environment: Environment
    public var facts: RenewalFacts
}
