import Basics
import Foundation
import InAppPurchase

/// A JWS by Xcode's StoreKit testing, split into its parts: one self-signed certificate, and a key ID.
struct XcodeJWS {
    static let keyID = "Apple_Xcode_Key"

    var certificate: Data
    var parts: JWSParts

    /// - Throws: `malformed` if it is not Xcode's.
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        parts = try JWSParts(text, maximumSize: maximumSize)
        guard let header = try? parts.header.decode(JWSHeader.self), header.alg == "ES256",
            header.kid == Self.keyID, !header.hasExtensions, header.x5c.count == 1, let base64 = header.x5c.first,
            let certificate = Data(strictBase64: Data(base64.utf8))
        else { throw ReceiptRejection(.malformed, "not signed by Xcode") }
        self.certificate = certificate
    }
}
