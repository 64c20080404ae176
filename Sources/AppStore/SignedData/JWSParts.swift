import Basics
import Foundation
import InAppPurchase
import StrictJSON

/// The three parts of a JWS in compact serialization (RFC 7515 §7.1).
struct JWSParts {
    /// The header in base64url as received: the same for all messages of one signer, so that it is read once.
    var encodedHeader: Data
    var payload: Data
    var signature: Data
    /// The signed bytes: header and payload exactly as received.
    var signedBytes: Data

    /// - Throws: `malformed`
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        guard text.utf8.count <= maximumSize else { throw ReceiptRejection(.malformed, "signed data is too large") }
        let parts = text.withDottedParts { header, payload, signature -> JWSParts? in
            guard !header.isEmpty, !payload.isEmpty, !signature.isEmpty,
                let decodedPayload = Data(base64URL: payload), let decodedSignature = Data(base64URL: signature)
            else { return nil }
            return JWSParts(
                encodedHeader: Data(header), payload: decodedPayload, signature: decodedSignature,
                signedBytes: Data(text.utf8.prefix(header.count + 1 + payload.count)))
        }
        guard let parts, let parts else { throw Self.notCompact }
        self = parts
    }

    private init(encodedHeader: Data, payload: Data, signature: Data, signedBytes: Data) {
        self.encodedHeader = encodedHeader
        self.payload = payload
        self.signature = signature
        self.signedBytes = signedBytes
    }

    /// The decoded header.
    /// - Throws: `malformed`, also if it is not strictly valid JSON.
    var header: StrictJSON {
        get throws(ReceiptRejection) {
            guard let header = Data(base64URL: encodedHeader) else { throw Self.notCompact }
            return try StrictJSON(signed: header)
        }
    }

    private static let notCompact = ReceiptRejection(.malformed, "not a JWS in compact serialization")
}

/// The members of a JWS header that are used (RFC 7515 §4.1); all others are ignored.
struct JWSHeader: Decodable {
    private enum CodingKeys: String, CodingKey { case alg, kid, x5c, crit, b64 }

    var alg: String
    var kid: String?
    var x5c: [String]
    /// Whether it requires extensions, in any form (§4.1.11; RFC 7797 §3). None is supported.
    var hasExtensions: Bool

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        alg = try members.decode(String.self, forKey: .alg)
        // `null` is not a key ID.
        kid = members.contains(.kid) ? try members.decode(String.self, forKey: .kid) : nil
        x5c = try members.decode([String].self, forKey: .x5c)
        hasExtensions = members.contains(.crit) || members.contains(.b64)
    }
}
