import Basics
import Foundation
import SwiftASN1

/// A chain and the private key of its leaf, as the key/value store keeps them.
///
/// The private keys of the root and the intermediate are forgotten: nothing else is ever to be issued under them.
struct StoredChain: Codable, Sendable {
    /// PEM.
    var leafKey: String
    /// DER: leaf, intermediate, root.
    var certificates: [Data]

    init(leafKey: String, chain: CertificateChain) throws {
        self.leafKey = leafKey
        certificates = try chain.certificates.map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return Data(serializer.serializedBytes)
        }
    }

    /// The chain under `key`, made at first use. Of two processes that make one at the same time both get the same.
    static func establish(
        in store: any KeyValueStore, forKey key: String, make: () throws -> StoredChain
    ) async throws -> StoredChain {
        var data = try await store.value(forKey: key)
        if data == nil { data = try await store.establish(JSONEncoder().encode(make()), forKey: key) }
        return try JSONDecoder().decode(StoredChain.self, from: data ?? Data())
    }
}
