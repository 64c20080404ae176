import Basics
import Crypto
import Foundation

extension AppStoreServerKey {
    private struct Header: Encodable {
        var alg = "ES256"
        var kid: String
        var typ = "JWT"
    }

    /// A JWS in compact serialization that Apple accepts of this key (ES256; RFC 7515, RFC 7518 §3.4).
    ///
    /// - Throws: if there is no randomness for the signature.
    func jws(_ claims: some Encodable) throws -> String {
        let signed = try [JSONEncoder.canonical.encode(Header(kid: keyID)), JSONEncoder.canonical.encode(claims)]
            .map(\.base64URL).joined(separator: ".")
        // r and s, 32 bytes each.
        let signature = try privateKey.signature(for: Data(signed.utf8)).rawRepresentation
        return "\(signed).\(signature.base64URL)"
    }
}
