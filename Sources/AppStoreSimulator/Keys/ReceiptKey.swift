import Basics
import Crypto
import CryptoExtras
import Foundation
import X509

/// Signs receipts with RSA as the App Store does, and verifies its own signatures.
struct ReceiptKey: Sendable {
    let chain: CertificateChain
    /// The certificates in DER: leaf, intermediate, root.
    let certificates: [Data]
    private let key: _RSA.Signing.PrivateKey

    /// - Throws: what the key/value store throws.
    static func establish(in store: any KeyValueStore, at date: Date) async throws -> ReceiptKey {
        let stored = try await StoredChain.establish(in: store, forKey: "simulator/keys/receipts") {
            let (leaf, intermediate, root) = try (
                _RSA.Signing.PrivateKey(keySize: .bits2048), _RSA.Signing.PrivateKey(keySize: .bits2048),
                _RSA.Signing.PrivateKey(keySize: .bits2048)
            )
            let chain = try CertificateChain(
                name: "Simulated Receipt", leaf: .init(leaf), intermediate: .init(intermediate), root: .init(root),
                algorithm: .sha256WithRSAEncryption, at: date)
            return try StoredChain(leafKey: leaf.pemRepresentation, chain: chain)
        }
        return try ReceiptKey(stored)
    }

    private init(_ stored: StoredChain) throws {
        key = try _RSA.Signing.PrivateKey(pemRepresentation: stored.leafKey)
        chain = try CertificateChain(derEncoded: stored.certificates)
        certificates = stored.certificates
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256, 256 bytes: the signature of app receipts since 2023 (Apple, TN3138).
    func signature(for content: some DataProtocol) throws -> Data {
        try key.signature(for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5).rawRepresentation
    }

    func isValidSignature(_ signature: some DataProtocol, for content: some DataProtocol) -> Bool {
        key.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: content),
            padding: .insecurePKCS1v1_5)
    }

    /// The same with SHA-1, which the format of iOS 6 transaction receipts requires.
    func legacySignature(for content: some DataProtocol) throws -> Data {
        try key.signature(for: Insecure.SHA1.hash(data: content), padding: .insecurePKCS1v1_5).rawRepresentation
    }

    func isValidLegacySignature(_ signature: some DataProtocol, for content: some DataProtocol) -> Bool {
        key.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: Insecure.SHA1.hash(data: content),
            padding: .insecurePKCS1v1_5)
    }
}
