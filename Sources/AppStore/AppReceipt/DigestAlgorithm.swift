import Crypto
import CryptoExtras
import Foundation
import SwiftASN1

/// The digests that receipts have been signed with: SHA-1 until January 2025, SHA-256 since 2023 (Apple, TN3138).
enum DigestAlgorithm {
    case sha1
    case sha256

    /// `AlgorithmIdentifier`
    init(_ node: ASN1Node?) throws {
        guard let node else { throw AppReceiptError() }
        let identifier = try BER.sequence(node, identifier: .sequence) { nodes in
            let identifier = try ASN1ObjectIdentifier(berEncoded: &nodes)
            while nodes.next() != nil {}
            return identifier
        }
        switch identifier {
        case [1, 3, 14, 3, 2, 26]: self = .sha1
        case [2, 16, 840, 1, 101, 3, 4, 2, 1]: self = .sha256
        default: throw AppReceiptError()
        }
    }

    func hash(_ octets: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: octets))
        case .sha256: Array(SHA256.hash(data: octets))
        }
    }

    /// Verifies RSASSA-PKCS1-v1_5 (RFC 8017 §8.2), the only scheme that receipts are signed with.
    func isValidSignature(_ signature: [UInt8], of octets: [UInt8], by key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
        return switch self {
        case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: octets), padding: .insecurePKCS1v1_5)
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: octets), padding: .insecurePKCS1v1_5)
        }
    }
}
