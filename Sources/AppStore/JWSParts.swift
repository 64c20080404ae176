import Foundation
import InAppPurchase

/// The three parts of a JWS in compact serialization (RFC 7515 §7.1), decoded.
struct JWSParts {
    var header: Data
    var payload: Data
    var signature: Data
    /// What was signed: header and payload exactly as received.
    var signedBytes: Data

    /// - Throws: `malformed`
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        guard text.utf8.count <= maximumSize else { throw ReceiptRejection(.malformed, "signed data is too large") }
        let bytes = Array(text.utf8)
        var parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
            .makeIterator()
        guard let first = parts.next(), let second = parts.next(), let third = parts.next(), parts.next() == nil,
            !first.isEmpty, !second.isEmpty, !third.isEmpty,
            let header = Data(base64URL: first), let payload = Data(base64URL: second),
            let signature = Data(base64URL: third)
        else { throw ReceiptRejection(.malformed, "not a JWS in compact serialization") }
        (self.header, self.payload, self.signature) = (header, payload, signature)
        signedBytes = Data(bytes.prefix(first.count + 1 + second.count))
    }
}
