import Basics
import Foundation
import InAppPurchase

/// A JWS as Xcode's StoreKit testing makes it, taken apart: one certificate, which signed itself, and a key ID.
struct XcodeJWS {
    static let keyID = "Apple_Xcode_Key"

    var certificate: Data
    var parts: JWSParts

    /// - Throws: `malformed` for what is not Xcode's.
    init(_ text: String, maximumSize: Int) throws(ReceiptRejection) {
        parts = try JWSParts(text, maximumSize: maximumSize)
        guard let header = try? parts.header.decode(JWSHeader.self), header.alg == "ES256",
            header.kid == Self.keyID, !header.hasExtensions, header.x5c.count == 1, let base64 = header.x5c.first,
            let certificate = Data(strictBase64: Data(base64.utf8))
        else { throw ReceiptRejection(.malformed, "not signed by Xcode") }
        self.certificate = certificate
    }
}
