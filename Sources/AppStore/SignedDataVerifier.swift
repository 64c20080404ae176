import Basics
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

    /// Whether the chain of the message's signer was verified for an earlier message.
    func knowsSigner(of jws: String, maximumSize: Int, at now: Date) -> Bool {
        guard let jws = try? CompactJWS(jws, maximumSize: maximumSize),
            let envelope = try? chains.envelope(jws.parts.encodedHeader, at: now, certificates: jws.certificates)
        else { return false }
        switch envelope {
        case .known: return true
        case .certificates(let certificates, _):
            return chains.cache.chain(certificates.cacheKey())?.isFresh(at: now) ?? false
        }
    }

    /// What `claims` makes of the payload, once chain and signature are verified.
    ///
    /// The certificates must have been valid when the data was signed (`signedDate`, or `receiptCreationDate` of an app
    /// transaction; without either, now). The signature is checked for every message, also of a signer known before.
    ///
    /// - Parameters:
    ///   - jws: compact serialization.
    ///   - maximumSize: in bytes; anything larger is not looked at.
    ///   - now: to refuse what claims to be signed in the future.
    ///   - claims: runs before the signer is known to be the store, so that what can be refused is refused before the
    ///     slow part. What it returns is not returned to the caller unless all is verified.
    /// - Throws: ``/InAppPurchase/ReceiptRejection`` with `malformed`, `signature`, `chain` or `expiredCertificate`;
    ///   ``VerifierUnavailable`` where too many strangers' messages wait.
    public func read<Value>(
        _ jws: String, maximumSize: Int, at now: Date, _ claims: (SignedPayload) throws(ReceiptRejection) -> Value
    ) async throws -> Value {
        let jws = try CompactJWS(jws, maximumSize: maximumSize)
        let envelope = try chains.envelope(jws.parts.encodedHeader, at: now, certificates: jws.certificates)
        let payload = try SignedPayload(StrictJSON(signed: jws.parts.payload))
        try payload.checkTimes(at: now)
        let signer = try chains.signer(envelope, at: payload.signedDate ?? now, now: now)
        // Before the chain: it costs a twentieth, and keeps out whoever only copies or changes certificates.
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.parts.signature),
            signer.key.isValidSignature(signature, for: jws.parts.signedBytes)
        else { throw ReceiptRejection(.signature, "the signature is wrong") }
        let value = try claims(payload)
        try await chains.verify(signer, envelope, now: now)
        return value
    }
}
