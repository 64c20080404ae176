import Foundation
import InAppPurchase

/// A JWS in compact serialization (RFC 7515 §7.1), taken apart; nothing in it is verified yet.
struct CompactJWS {
    private struct Header: Decodable {
        var alg: String
        var x5c: [String]
        var crit: [String]?
    }

    /// The certificate that says whose key signed, in DER.
    var leaf: Data
    /// The certificate of its issuer, in DER.
    var intermediate: Data
    var payload: Data
    /// r and s, 32 bytes each (RFC 7518 §3.4), where it is genuine.
    var signature: Data
    /// What was signed: header and payload exactly as received.
    var signedBytes: Data

    /// - Throws: `malformed` for what cannot be read, `signature` for another algorithm than ES256, `chain` for
    ///   another number of certificates than three.
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        let parts = try JWSParts(text, maximumSize: maximumSize)
        (payload, signature, signedBytes) = (parts.payload, parts.signature, parts.signedBytes)
        (leaf, intermediate) = try Self.certificates(header: parts.header)
    }

    private static func certificates(header json: Data) throws(ReceiptRejection) -> (leaf: Data, intermediate: Data) {
        try checkAlgorithm(json)
        guard let header = try? JSONDecoder().decode(Header.self, from: json) else {
            throw ReceiptRejection(.malformed, "the JWS header cannot be read")
        }
        // RFC 7515 §4.1.11: extensions that must be understood, and none is.
        guard header.crit == nil else { throw ReceiptRejection(.malformed, "the JWS header has critical extensions") }
        guard header.x5c.count == 3 else { throw ReceiptRejection(.chain, "not three certificates") }
        // The third is the sender's idea of the root. Whom to trust is not for the sender to say, so it is not read.
        let certificates = header.x5c.prefix(2).compactMap { Data(strictBase64: Data($0.utf8)) }
        guard certificates.count == 2, let leaf = certificates.first, let intermediate = certificates.last else {
            throw ReceiptRejection(.malformed, "a certificate is not in base64")
        }
        return (leaf, intermediate)
    }

    /// The header never chooses the algorithm: any word but this one is refused before the rest is looked at.
    private static func checkAlgorithm(_ header: Data) throws(ReceiptRejection) {
        struct Algorithm: Decodable { var alg: String }
        guard let algorithm = try? JSONDecoder().decode(Algorithm.self, from: header) else {
            throw ReceiptRejection(.malformed, "the JWS header cannot be read")
        }
        guard algorithm.alg == "ES256" else { throw ReceiptRejection(.signature, "not signed with ES256") }
    }
}
