import Crypto
public import Foundation
public import InAppPurchase

/// Verifies what the App Store signs: transactions, renewal info, app transactions, notifications (JWS with ES256).
///
/// A value that shares one small cache of verified signers among its copies; safe to use from many tasks at once.
public struct SignedDataVerifier: Sendable {
    /// How far the store's clock may be ahead of this machine's.
    public static let clockSkew: TimeInterval = 300

    let chains: SigningChainVerifier<P256.Signing.PublicKey>

    public init(anchors: TrustAnchors) {
        chains = SigningChainVerifier(roots: anchors.signedDataRoots)
    }

    /// The payload, once chain and signature are verified.
    ///
    /// The certificates must have been valid when the data was signed (`signedDate`, or `receiptCreationDate` of an app
    /// transaction; without either, now). The signature is checked for every message, also of a signer known before.
    ///
    /// - Parameters:
    ///   - jws: compact serialization.
    ///   - maximumSize: in bytes; anything larger is not looked at.
    ///   - now: to refuse what claims to be signed in the future.
    /// - Throws: `malformed`, `signature`, `chain` or `expiredCertificate`.
    public func payload(
        of jws: String, maximumSize: Int, at now: Date
    ) async throws(ReceiptRejection) -> SignedPayload {
        let jws = try CompactJWS(jws, maximumSize: maximumSize)
        let payload = try SignedPayload(json: jws.payload)
        let date = payload.signedDate ?? now
        guard date <= now.addingTimeInterval(Self.clockSkew) else {
            throw ReceiptRejection(.malformed, "signed in the future")
        }
        let key = try await chains.key(leaf: jws.leaf, intermediate: jws.intermediate, at: date)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
            key.isValidSignature(signature, for: jws.signedBytes)
        else { throw ReceiptRejection(.signature, "the signature is wrong") }
        return payload
    }
}
