import Crypto
import Foundation

/// Claims that an app's server signed with its In-App Purchase key: a JWT in the form that Apple asks for (ES256;
/// RFC 7515, RFC 7519).
struct SignedClaims<Claims: Decodable> {
    private struct Header: Decodable {
        var alg: String
        var kid: String
        var typ: String
    }

    /// The claims, read before the signature is checked.
    let claims: Claims
    private let header: Header
    private let signed: Data
    private let signature: P256.Signing.ECDSASignature

    /// Decodes the compact serialization; `nil` if it is not such claims.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { Data(base64URL: String($0)) }
        guard text.utf8.count <= SignedClaimsLimits.length, parts.count == 3, bytes.count == 3,
            let header = try? JSONDecoder().decode(Header.self, from: bytes[0]),
            let claims = try? JSONDecoder().decode(Claims.self, from: bytes[1]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// Whether `key` signed them.
    func isSigned(by key: APIKey) -> Bool {
        guard header.alg == "ES256", header.typ == "JWT", header.kid == key.keyID,
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

/// The limits of signed claims.
enum SignedClaimsLimits {
    /// The maximum length; longer than any that Apple's claims have.
    static let length = 4_096
    /// The maximum difference between the clocks of two machines, in seconds.
    static let leeway = 60.0
}
