import Crypto
public import Foundation
public import InAppPurchase
public import StoreClient
import StrictJSON

/// Verifies data signed by the App Store: transactions, renewal info, app transactions, notifications (JWS with ES256).
///
/// A value whose copies share one small cache of verified signers; safe to use from many tasks at once.
public struct SignedDataVerifier: Sendable {
    /// The maximum time in seconds by which the App Store's clock may be ahead of this machine's.
    public static let clockSkew: TimeInterval = 300

    let chains: SigningChainVerifier<P256.Signing.PublicKey>
    private let clock: StoreClock?

    /// Creates a verifier with an empty cache; `clock` learns the dates of signing that are ahead.
    public init(anchors: TrustAnchors, clock: StoreClock? = nil) {
        self.clock = clock
        chains = SigningChainVerifier(roots: anchors.signedDataRoots)
    }

    /// The certificates of the signers that were verified, or expected; all are the App Store's.
    package var signers: [SignerCertificates] { chains.cache.certificates }

    /// Expects messages of a signer that an earlier process verified: they do not wait behind those of unknown signers.
    /// They are verified like any other.
    package func expect(_ signer: SignerCertificates) { chains.expect(signer) }

    /// Verifies certificate chain and signature, and returns the result of `claims`.
    ///
    /// The certificates must have been valid when the data was signed (`signedDate`, or `receiptCreationDate` of an app
    /// transaction; without either, now). The signature is verified for every message, also of a known signer.
    ///
    /// - Parameters:
    ///   - jws: the compact serialization.
    ///   - maximumSize: in bytes; anything larger is rejected unread.
    ///   - now: data that is signed in the future is not judged: the clock is wrong, whichever it is.
    ///   - claims: reads the payload. It runs before the certificate chain is verified, so that what it rejects does
    ///     not need the slow part. Its result is returned only if everything is verified.
    /// - Throws: ``/InAppPurchase/ReceiptRejection`` with `malformed`, `signature`, `chain` or `expiredCertificate`;
    ///   ``VerifierUnavailable`` if too many messages of unknown signers wait, or the message is genuine and `now` is
    ///   before it.
    public func read<Value>(
        _ jws: String, maximumSize: Int, at now: Date, _ claims: (SignedPayload) throws(ReceiptRejection) -> Value
    ) async throws -> Value {
        let jws = try CompactJWS(jws, maximumSize: maximumSize)
        let envelope = try chains.envelope(jws.parts.encodedHeader, at: now, certificates: jws.certificates)
        let payload = try SignedPayload(StrictJSON(signed: jws.parts.payload))
        try payload.checkEnd(at: now)
        let signer = try chains.signer(envelope, at: payload.signedDate ?? now, now: now)
        // Before the chain: it costs a twentieth, and rejects copied or changed certificates.
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.parts.signature),
            signer.key.isValidSignature(signature, for: jws.parts.signedBytes)
        else { throw ReceiptRejection(.signature, "the signature is wrong") }
        let value = try claims(payload)
        try await chains.verify(signer, envelope, now: now)
        if let date = payload.signedDate, date > now { clock?.record(signature: date) }
        // Last: a forgery has no claim to be judged later.
        try payload.checkBegin(at: now)
        return value
    }
}
