import Basics
import Crypto
import Foundation
import ObjectStore

extension RepositoryBucket {
    /// Reads and hashes every object of the bucket, including those that no version names.
    ///
    /// - Returns: a problem for each object whose bytes do not have the hash of its name, and for each that a version
    ///   names and that is missing, by place.
    /// - Throws: ``ObjectStoreError``; ``ContentError`` if it cannot be determined which objects are named.
    func differences() async throws -> [ContentError] {
        let listed = try await client.list(Self.objects, upTo: Self.maximumObjects)
        let there = Dictionary(listed.map { ($0.key, $0.size) }) { first, _ in first }
        let missing = try await NamedObjects(in: self).sizes.filter { there[$0.key] != $0.value }.map { key, _ in
            ContentError(place(key), .missingObject)
        }
        let damaged = try await listed.concurrentMap { object in
            let hash = try await client.read(object.key, size: object.size, into: SHA256()) { $0.update(data: $1) }
            let name = object.key.split(separator: "/").last.map(String.init)
            // An object that was removed since it was listed is not a problem.
            return hash.map { $0.finalize().hex == name } ?? true
                ? nil : ContentError(place(object.key), .otherBytes)
        }
        return (missing + damaged.compactMap(\.self)).sorted { $0.path < $1.path }
    }
}
