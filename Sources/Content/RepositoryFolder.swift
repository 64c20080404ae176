import Foundation
import InAppPurchase
import SystemPackage

/// `content/.store`: every published file once, under its SHA-256, and a record for each version that names its files.
///
/// - `objects/<first two digits>/<sha256>`: bytes.
/// - `bundles/<bundle>/<version>.json`: a ``VersionRecord``, written after all its objects are on the disk.
/// - `variants/<first two digits>/<sha256>.json`: which smaller forms of a file are objects too; see ``VariantFolder``.
/// - `incoming/`: what is being written, and uploads that can be resumed.
struct RepositoryFolder: Sendable {
    static let name = ".store"
    static let recordSuffix = ".json"

    /// The content folder that it stands in.
    let content: FilePath

    private var root: FilePath { content.appending(Self.name) }
    var objects: FilePath { root.appending("objects") }
    var incoming: FilePath { root.appending("incoming") }
    var bundles: FilePath { root.appending("bundles") }
    var variants: FilePath { root.appending("variants") }

    /// - Parameter sha256: 64 hexadecimal digits, checked before.
    func object(_ sha256: String) -> FilePath { shelf(of: sha256).appending(sha256) }

    /// The folder that the object stands in.
    func shelf(of sha256: String) -> FilePath { objects.appending(String(sha256.prefix(2))) }

    /// - Parameter bundle: a name of one part, checked before.
    func records(of bundle: BundleName) -> FilePath { bundles.appending(bundle) }

    func record(of version: SemanticVersion, in bundle: BundleName) -> FilePath {
        records(of: bundle).appending(version.description + Self.recordSuffix)
    }

    /// Makes the folders. The second time nothing changes.
    func prepare() throws(Errno) {
        for folder in [root, objects, incoming, bundles, variants] { try folder.createFolder() }
    }

    /// Puts the record in the place of the one before, whole or not at all, also where the power fails.
    func write(_ record: VersionRecord) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let (manifest, bytes) = (record.manifest, try encoder.encode(record))
        let target = self.record(of: manifest.version, in: manifest.bundle)
        try TemporaryFile.write(in: incoming, permissions: .everybodyReads, to: target) { try $0.writeAll(bytes) }
        try target.removingLastComponent().syncFolder()
    }

    func removeRecord(of version: SemanticVersion, in bundle: BundleName) throws(Errno) {
        try record(of: version, in: bundle).remove()
        try records(of: bundle).syncFolder()
    }
}

extension FilePermissions {
    static let everybodyReads: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    /// What is addressed by its hash is never written to again.
    static let nobodyWrites: FilePermissions = [.ownerRead, .groupRead, .otherRead]
}
