import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// A JWS in compact form with an Ed25519 signature (RFC 7515, RFC 8037), split into its parts and not yet trusted.
struct SignedMessage: Sendable {
    private struct Header: Decodable {
        enum CodingKeys: String, CodingKey {
            case alg
            case kid
            case typ
            case crit
        }

        let alg: String
        let kid: String
        let typ: String
        let isCritical: Bool

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            alg = try members.decode(String.self, forKey: .alg)
            kid = try members.decode(String.self, forKey: .kid)
            typ = try members.decode(String.self, forKey: .typ)
            isCritical = members.contains(.crit)
        }
    }

    /// The thumbprint of the key that is said to have signed it.
    let keyID: String
    /// The type that its header names.
    let type: String
    /// The bytes that were signed.
    let payload: Data
    private let input: Data
    private let signature: Data

    /// `nil` if the string is no such message, has another algorithm, or extensions that must be understood.
    init?(_ text: String) {
        var parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)[...]
        guard parts.count == 3, let first = parts.popFirst(), let second = parts.popFirst(),
            let third = parts.popFirst(), let header = Data(base64URL: first), let payload = Data(base64URL: second),
            let signature = Data(base64URL: third), let head = try? JSONDecoder().decode(Header.self, from: header),
            head.alg == "EdDSA", !head.isCritical
        else { return nil }
        keyID = head.kid
        type = head.typ
        self.payload = payload
        self.signature = signature
        input = Data("\(first).\(second)".utf8)
    }

    /// Whether the key has signed it.
    ///
    /// - Parameter key: the 32 bytes of an Ed25519 public key.
    func isSigned(by key: Data) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
        return key.isValidSignature(signature, for: input)
    }
}

extension Data {
    /// The bytes of base64url without padding; `nil` if the string is something else.
    init?(base64URL text: some StringProtocol) {
        guard text.utf8.allSatisfy({ !"+/=".utf8.contains($0) }) else { return nil }
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }

    /// base64url without padding.
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
