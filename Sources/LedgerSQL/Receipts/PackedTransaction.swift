import Basics
import CZlib
import Foundation

/// A signed transaction in the form in which its receipt is stored, a fifth of its size.
///
/// The header has the certificates, which are the same for all that one key of the App Store signed, so that it is
/// stored once for all of them. What is left is the payload, deflated with a dictionary of Apple's member names (RFC
/// 1951), and the signature as bytes. Only what comes back byte for byte is packed at all.
struct PackedTransaction: Equatable {
    /// The first part of the JWS (RFC 7515 §3.1), as it was sent.
    var header: String
    /// A version, the payload's length, the signature, and the deflated payload.
    var bytes: Data

    private static let version: UInt8 = 1
    private static let signatureBytes = 64
    private static let prefixBytes = 5 + signatureBytes
    /// The largest payload; Apple's have about 1 KiB.
    private static let maximumPayloadBytes = 65_535

    /// Packs a JWS; `nil` if it is no signed transaction, or would not come back as the same bytes.
    init?(_ jws: String) {
        let packed = jws.withDottedParts { header, payload, signature -> PackedTransaction? in
            // Strict: what it decodes comes back as the same characters.
            guard let payload = Data(base64URL: payload), let signature = Data(base64URL: signature) else { return nil }
            return PackedTransaction(String(decoding: header, as: UTF8.self), payload, signature)
        }
        guard let packed, let packed else { return nil }
        self = packed
    }

    private init?(_ header: String, _ payload: Data, _ signature: Data) {
        guard signature.count == Self.signatureBytes, payload.count <= Self.maximumPayloadBytes,
            let deflated = RawDeflate.deflated(payload, with: Self.dictionary),
            RawDeflate.inflated(deflated, length: payload.count, with: Self.dictionary) == payload
        else { return nil }
        self.header = header
        let length = UInt32(payload.count)
        bytes = Data(capacity: Self.prefixBytes + deflated.count)
        bytes.append(Self.version)
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        bytes.append(signature)
        bytes.append(deflated)
    }

    /// A stored one, which ``text`` checks.
    init(header: String, stored bytes: Data) {
        self.header = header
        self.bytes = bytes
    }

    /// The JWS, byte for byte; `nil` if the stored bytes are damaged or of a later version.
    var text: String? {
        let bytes = Data(bytes)
        guard bytes.count > Self.prefixBytes, bytes.first == Self.version else { return nil }
        let length = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let signature = bytes.dropFirst(5).prefix(Self.signatureBytes)
        guard length <= Self.maximumPayloadBytes,
            let payload = RawDeflate.inflated(
                Data(bytes.dropFirst(Self.prefixBytes)), length: length, with: Self.dictionary)
        else { return nil }
        return "\(header).\(payload.base64URL).\(Data(signature).base64URL)"
    }

    /// The text that Apple's payloads have in common (JWSTransactionDecodedPayload), the most frequent last. Part of
    /// the stored form: another one needs another version.
    private static let dictionary = Data(
        (#"{"revocationReason":0,"revocationDate":17,"isUpgraded":true,"offerType":1,"offerIdentifier":"","#
            + #""offerDiscountType":"FREE_TRIAL","offerPeriod":"P1W","type":"Non-Renewing Subscription","type":"#
            + #""Auto-Renewable Subscription","subscriptionGroupIdentifier":"2","expiresDate":17,"#
            + #""webOrderLineItemId":"2000000","type":"Non-Consumable","type":"Consumable","#
            + #""inAppOwnershipType":"FAMILY_SHARED","transactionReason":"RENEWAL","environment":"Sandbox","#
            + #""environment":"Production","appAccountToken":"","deviceVerification":"","deviceVerificationNonce":"","#
            + #""transactionId":"2000000","originalTransactionId":"2000000","bundleId":"com.","productId":"com.","#
            + #""purchaseDate":17,"originalPurchaseDate":17,"quantity":1,"inAppOwnershipType":"PURCHASED","#
            + #""signedDate":17,"transactionReason":"PURCHASE","storefront":"USA","storefrontId":"143441","#
            + #""price":990,"currency":"USD","appTransactionId":"70"}"#).utf8)
}
