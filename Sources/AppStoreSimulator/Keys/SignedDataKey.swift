import Basics
import Crypto
import Foundation
import StrictJSON
import X509

/// Signs transactions and renewal info as the App Store does: JWS in compact serialization, ES256, the chain in `x5c`.
///
/// Source: RFC 7515 §3.1; Apple, JWSTransaction and JWSDecodedHeader.
struct SignedDataKey: Sendable {
    private struct Header: Encodable {
        var alg = "ES256"
        var x5c: [String]
    }

    let rootCertificate: [UInt8]
    private let key: P256.Signing.PrivateKey
    /// The encoded header, the same for every message.
    private let header: String

    /// - Throws: what the key/value store throws.
    static func establish(in store: any KeyValueStore, at date: Date) async throws -> SignedDataKey {
        let stored = try await StoredChain.establish(in: store, forKey: "simulator/keys/signed-data") {
            let (leaf, intermediate, root) = (
                P256.Signing.PrivateKey(), P384.Signing.PrivateKey(), P384.Signing.PrivateKey()
            )
            let chain = try CertificateChain(
                name: "Simulated Store", leaf: .init(leaf), intermediate: .init(intermediate), root: .init(root),
                algorithm: .ecdsaWithSHA384, at: date)
            return try StoredChain(leafKey: leaf.pemRepresentation, chain: chain)
        }
        return try SignedDataKey(stored)
    }

    private init(_ stored: StoredChain) throws {
        guard let root = stored.certificates.last else { throw SimulatorKeyError() }
        key = try P256.Signing.PrivateKey(pemRepresentation: stored.leafKey)
        rootCertificate = [UInt8](root)
        let encoded = Header(x5c: stored.certificates.map { $0.base64EncodedString() })
        header = try JSONEncoder.sorted.encode(encoded).base64URL
    }

    /// The JWS: `header.payload.signature`.
    func sign(_ payload: some Encodable) throws -> String {
        let signed = try header + "." + JSONEncoder.sorted.encode(payload).base64URL
        let signature = try key.signature(for: Data(signed.utf8))
        return signed + "." + signature.rawRepresentation.base64URL
    }
}

extension JSONEncoder {
    /// An encoder that writes the same value always in the same bytes.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder.canonical
        return encoder
    }
}
