import Basics
import Foundation
import SwiftASN1

/// A certificate chain and the private key of its leaf, as the key/value store holds them.
///
/// The private keys of the root and the intermediate are discarded: nothing else is ever issued under them.
struct StoredChain: Codable, Sendable {
    /// The private key in PEM.
    var leafKey: String
    /// The certificates in DER: leaf, intermediate, root.
    var certificates: [Data]

    init(leafKey: String, chain: CertificateChain) throws {
        self.leafKey = leafKey
        certificates = try chain.certificates.map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return Data(serializer.serializedBytes)
        }
    }

    /// The chain under `key`, created at first use. Two processes that create one at the same time get the same one.
    static func establish(
        in store: any KeyValueStore, forKey key: String, make: () throws -> StoredChain
    ) async throws -> StoredChain {
        var data = try await store.value(forKey: key)
        if data == nil { data = try await store.establish(JSONEncoder().encode(make()), forKey: key) }
        return try JSONDecoder().decode(StoredChain.self, from: data ?? Data())
    }
}
