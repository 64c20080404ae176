import Crypto
import Foundation
import InAppPurchase
import ObjectStore

extension RepositoryBucket {
    /// Reads and hashes every file of the bucket, also those that no version names.
    ///
    /// - Returns: what stands under a name that is not its hash, and what a version names and is not there, by place.
    /// - Throws: ``ObjectStoreError``; ``ContentProblem`` where what is named cannot be told.
    func differences() async throws -> [ContentProblem] {
        let listed = try await client.list(Self.objects, upTo: Self.maximumObjects)
        let there = Dictionary(listed.map { ($0.key, $0.size) }) { first, _ in first }
        let missing = try await NamedObjects(in: self).sizes.filter { there[$0.key] != $0.value }.map { key, _ in
            ContentProblem(place(key), .missingObject)
        }
        let damaged = try await listed.concurrentMap { object in
            let hash = try await client.read(object.key, size: object.size, into: SHA256()) { $0.update(data: $1) }
            let name = object.key.split(separator: "/").last.map(String.init)
            // What was removed since it was listed is nobody's loss.
            return hash.map { $0.finalize().hex == name } ?? true
                ? nil : ContentProblem(place(object.key), .otherBytes)
        }
        return (missing + damaged.compactMap(\.self)).sorted { $0.path < $1.path }
    }
}
