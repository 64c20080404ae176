import Crypto
import Foundation
import InAppPurchase

/// The bearer token of a call to the Server API: a JWT that the app's server signed (Apple, "Generating JSON Web Tokens
/// for API requests"; RFC 7519).
struct APIToken {
    private struct Header: Decodable {
        var alg: String
        var kid: String
        var typ: String
    }

    private struct Claims: Decodable {
        var iss: String
        /// Apple requires it, but accepts tokens of its own libraries, which leave it out.
        var iat: Double?
        var exp: Double
        var aud: String
        var bid: String
    }

    /// The maximum length; longer than any token with these claims.
    static let maximumLength = 4_096
    /// The maximum lifetime in seconds; Apple refuses tokens that live longer.
    static let maximumLifetime = 3_600.0
    /// The maximum difference between the clocks of two machines, in seconds.
    static let leeway = 60.0

    private var header: Header
    private var claims: Claims
    private var signed: Data
    private var signature: P256.Signing.ECDSASignature

    /// Decodes the token; `nil` if it is not such a token.
    ///
    /// - Parameter authorization: the value of the header.
    init?(authorization: String?) {
        guard let words = authorization?.split(separator: " "), words.count == 2, let text = words.last,
            words.first?.lowercased() == "bearer", text.utf8.count <= Self.maximumLength
        else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { Data(base64URL: String($0)) }
        guard bytes.count == 3, let header = try? JSONDecoder().decode(Header.self, from: bytes[0]),
            let claims = try? JSONDecoder().decode(Claims.self, from: bytes[1]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// The app that the token is for (`bid`).
    var app: BundleID { BundleID(stored: claims.bid) }

    /// Whether `key` signed it, and it is valid at `date`.
    func isValid(for key: APIKey, at date: Date) -> Bool {
        let now = date.timeIntervalSince1970
        guard header.alg == "ES256", header.typ == "JWT", header.kid == key.keyID, claims.iss == key.issuerID,
            claims.aud == "appstoreconnect-v1", claims.iat ?? now <= now + Self.leeway, claims.exp > now,
            claims.exp - (claims.iat ?? now) <= Self.maximumLifetime,
            let privateKey = try? P256.Signing.PrivateKey(pemRepresentation: key.privateKey)
        else { return false }
        return privateKey.publicKey.isValidSignature(signature, for: signed)
    }
}

extension Data {
    /// Decodes base64url (RFC 4648 §5) without padding.
    init?(base64URL text: String) {
        guard !text.contains(where: { "+/=".contains($0) }) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
