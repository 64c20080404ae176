import Basics
import Crypto
import Foundation
import InAppPurchase
import ObjectStore
import StrictJSON

/// The layout of a content repository in a bucket, as ``RepositoryFolder`` is on a disk: every published file once,
/// under its SHA-256, and one object for each bundle that names its versions.
///
/// - `objects/<first two digits>/<sha256>`: bytes.
/// - `manifests/<first two digits>/<sha256>.json`: a ``Manifest``, under the hash of its own bytes.
/// - `bundles/<name>.json`: a ``BundleFile``, written after all that it names.
/// - `leases/<publishing or collecting>-<name>`: see ``BucketLease``.
struct RepositoryBucket: Sendable {
    static let objects = "objects/"
    static let manifests = "manifests/"
    static let bundles = "bundles/"
    /// The maximum number of objects listed: a thousand pages of a listing.
    static let maximumObjects = 1_000_000
    /// The maximum number of concurrent requests.
    static let width = 8

    /// Objects addressed by their hash are immutable (RFC 8246), and browsers must not guess their type.
    static let objectHeaders = [
        (name: "cache-control", value: "private, max-age=31536000, immutable"),
        (name: "content-type", value: "application/octet-stream"),
    ]

    let client: ObjectClient

    /// - Parameter sha256: 64 hexadecimal digits, checked before.
    static func object(_ sha256: String) -> String { "\(objects)\(sha256.prefix(2))/\(sha256)" }

    static func manifest(_ sha256: String) -> String {
        "\(manifests)\(sha256.prefix(2))/\(sha256)\(RepositoryFolder.recordSuffix)"
    }

    /// The key of the bundle's file; equal for names that differ only by case or Unicode normalization, so that they
    /// cannot both exist.
    static func bundle(_ name: BundleName) -> String {
        bundles + FolderListing.folded(name.text).precomposedStringWithCanonicalMapping + RepositoryFolder.recordSuffix
    }

    /// The path of the object in a ``ContentError``.
    func place(_ key: String) -> String { "\(client.bucket)/\(key)" }

    /// The bundle's current versions, and the entity tag for a conditional replacement; `nil` if there are none.
    ///
    /// - Throws: ``ContentError`` if the object is not such a file; ``/ObjectStore/ObjectStoreError``.
    func file(at key: String) async throws -> (file: BundleFile, etag: String)? {
        guard let object = try await client.get(key, upTo: BundleFile.maximumBytes) else { return nil }
        do {
            let file = try StrictJSON(object.bytes, .contentRecord).decode(BundleFile.self)
            if let reason = ManifestCheck.refusal(ofName: file.bundle.text) { throw ContentError(place(key), reason) }
            guard Self.bundle(file.bundle) == key else { throw ContentError(place(key), .unreadable("other name")) }
            return (file, object.etag)
        } catch let problem as ContentError {
            throw problem
        } catch {
            throw ContentError(place(key), .unreadable("it is no record of a bundle: \(error)"))
        }
    }

    /// - Throws: ``ContentError`` if it is not there, or does not have the hash and the version.
    func manifest(of entry: BundleFile.Entry, in bundle: BundleName) async throws -> Manifest {
        let key = Self.manifest(entry.manifest)
        guard let object = try await client.get(key, upTo: RecordFile.maximumBytes) else {
            throw ContentError(place(key), .missingObject)
        }
        guard SHA256.hash(data: object.bytes).hex == entry.manifest else { throw ContentError(place(key), .otherBytes) }
        do {
            let manifest = try StrictJSON(object.bytes, .contentRecord).decode(Manifest.self)
            try ManifestCheck.check(manifest)
            guard manifest.bundle == bundle, manifest.version == entry.version else {
                throw ContentError(place(key), .unreadable("it is the manifest of another version"))
            }
            return manifest
        } catch let problem as ContentError {
            throw problem
        } catch {
            throw ContentError(place(key), .unreadable("it is no manifest: \(error)"))
        }
    }

    /// Writes the manifest. Idempotent.
    ///
    /// - Returns: the SHA-256 of its bytes.
    func write(_ manifest: Manifest) async throws -> String {
        let bytes = try Self.encode(manifest)
        let sha256 = SHA256.hash(data: bytes).hex
        try await client.putOnce(.bytes(bytes), at: Self.manifest(sha256), headers: Self.objectHeaders)
        return sha256
    }

    static func encode(_ value: some Encodable) throws -> Data { try JSONEncoder.canonical.encode(value) }
}

extension ObjectClient {
    /// Writes an object addressed by its hash; one that exists already is the same.
    func putOnce(
        _ body: ObjectBody, at key: String, headers: [(name: String, value: String)]
    ) async throws {
        do {
            try await put(body, at: key, .absent, headers: headers)
        } catch ObjectStoreError.preconditionFailed {}
    }
}

extension Sequence where Element: Sendable {
    /// Transforms the elements with bounded concurrency; the results are in any order. The first error ends it.
    func concurrentMap<Value: Sendable>(
        width: Int = RepositoryBucket.width, _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            var (values, running) = ([Value](), 0)
            for element in self {
                if running >= width, let value = try await group.next() {
                    values.append(value)
                    running -= 1
                }
                group.addTask { try await transform(element) }
                running += 1
            }
            for try await value in group { values.append(value) }
            return values
        }
    }
}

extension RepositoryBucket {
    /// Reads and hashes every object of the bucket, including those that no version names.
    ///
    /// - Returns: a problem for each object whose bytes do not have the hash of its name, and for each that a version
    ///   names and that is missing, by place.
    /// - Throws: ``/ObjectStore/ObjectStoreError``; ``ContentError`` if it cannot be determined which objects are
    ///   named.
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
            return hash.map { $0.finalize().hex == name } ?? true ? nil : ContentError(place(object.key), .otherBytes)
        }
        return (missing + damaged.compactMap(\.self)).sorted { $0.path < $1.path }
    }
}
