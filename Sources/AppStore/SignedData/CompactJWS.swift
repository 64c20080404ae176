import Basics
import Foundation
import InAppPurchase
import StrictJSON

/// A JWS in compact serialization (RFC 7515 §7.1), split into its parts; nothing in it is verified yet.
struct CompactJWS {
    /// The parts. The signature of a genuine JWS is r and s, 32 bytes each (RFC 7518 §3.4).
    var parts: JWSParts

    /// - Throws: `malformed`
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        parts = try JWSParts(text, maximumSize: maximumSize)
    }

    /// Reads the certificates in the header.
    ///
    /// - Throws: `malformed` if it cannot be read, `signature` for another algorithm than ES256, `chain` for another
    ///   number of certificates than three.
    func certificates() throws(ReceiptRejection) -> SignerCertificates {
        let json = try parts.header
        try Self.checkAlgorithm(json)
        guard let header = try? json.decode(JWSHeader.self) else {
            throw ReceiptRejection(.malformed, "the JWS header cannot be read")
        }
        guard !header.hasExtensions else { throw ReceiptRejection(.malformed, "the JWS header has extensions") }
        guard header.x5c.count == 3 else { throw ReceiptRejection(.chain, "not three certificates") }
        // The third is the root as the sender has it. Trust is not the sender's to decide, so it is not read.
        let certificates = header.x5c.prefix(2).compactMap { Data(strictBase64: Data($0.utf8)) }
        guard certificates.count == 2, let leaf = certificates.first, let intermediate = certificates.last else {
            throw ReceiptRejection(.malformed, "a certificate is not in base64")
        }
        return SignerCertificates(leaf: leaf, intermediate: intermediate)
    }

    /// The header never chooses the algorithm: any other than this one is rejected before the rest is read.
    private static func checkAlgorithm(_ header: StrictJSON) throws(ReceiptRejection) {
        struct Algorithm: Decodable { var alg: String }
        guard let algorithm = try? header.decode(Algorithm.self) else {
            throw ReceiptRejection(.malformed, "the JWS header cannot be read")
        }
        guard algorithm.alg == "ES256" else { throw ReceiptRejection(.signature, "not signed with ES256") }
    }
}
