import Basics
import Foundation
import InAppPurchase

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
        let bytes = Array(text.utf8)
        var parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
            .makeIterator()
        guard let first = parts.next(), let second = parts.next(), let third = parts.next(), parts.next() == nil,
            !first.isEmpty, !second.isEmpty, !third.isEmpty,
            let payload = Data(base64URL: second), let signature = Data(base64URL: third)
        else { throw Self.notCompact }
        encodedHeader = Data(first)
        self.payload = payload
        self.signature = signature
        signedBytes = Data(bytes.prefix(first.count + 1 + second.count))
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
