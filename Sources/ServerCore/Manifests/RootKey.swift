import AuditSeal
import Basics
import Crypto
import Foundation
package import ServerHTTP

/// The key that vouches for a server's other keys. It is kept offline, and no server ever has it.
package struct RootKey: Sendable {
    private static let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----")
    /// The bytes before the 32 of an Ed25519 key in PKCS #8 (RFC 8410 §7).
    private static let prefix = Data([
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ])

    private let secret: Curve25519.Signing.PrivateKey

    package init(_ random: RandomBytes) throws {
        secret = try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
    }

    /// - Throws: ``KeyListError`` if the text is no Ed25519 key in PEM, as ``pem`` and OpenSSL write it.
    package init(pem: String) throws(KeyListError) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard lines.first == Self.begin, lines.last == Self.end,
            let bytes = Data(base64Encoded: lines.dropFirst().dropLast().joined()), bytes.starts(with: Self.prefix),
            let secret = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.dropFirst(Self.prefix.count))
        else { throw KeyListError("this is no Ed25519 key in PEM") }
        self.secret = secret
    }

    package var pem: String {
        "\(Self.begin)\n\((Self.prefix + secret.rawRepresentation).base64EncodedString())\n\(Self.end)\n"
    }

    /// The public key as apps name it: its 32 bytes in base64url.
    package var publicText: String { secret.publicKey.rawRepresentation.base64URL }

    /// The thumbprint of the public key.
    var id: String { AuditVerifyingKey(secret.publicKey).id }

    func signature(of bytes: Data) throws -> Data { try secret.signature(for: bytes) }
}
