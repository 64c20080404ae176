import Foundation
import InAppPurchase
import StrictJSON
import SystemPackage

/// The layout of `content/.store`: every published file once, under its SHA-256, and a record for each version that
/// names its files.
///
/// - `objects/<first two digits>/<sha256>`: bytes.
/// - `bundles/<bundle>/<version>.json`: a ``VersionRecord``, written after all its objects are on the disk.
/// - `variants/<first two digits>/<sha256>.json`: which objects are variants of a file; see ``VariantFolder``.
/// - `incoming/`: unfinished writes, and uploads that can be resumed.
struct RepositoryFolder: Sendable {
    static let name = ".store"
    static let recordSuffix = ".json"

    /// The content folder that contains it.
    let content: FilePath

    // Composed once: a scan asks for the path of every file.
    private let root: FilePath
    let objects: FilePath
    let incoming: FilePath
    let bundles: FilePath
    let variants: FilePath

    init(content: FilePath) {
        let root = content.appending(Self.name)
        self.content = content
        self.root = root
        objects = root.appending("objects")
        incoming = root.appending("incoming")
        bundles = root.appending("bundles")
        variants = root.appending("variants")
    }

    /// - Parameter sha256: 64 hexadecimal digits, checked before.
    func object(_ sha256: String) -> FilePath { shelf(of: sha256).appending(sha256) }

    /// The folder of the object.
    func shelf(of sha256: String) -> FilePath { objects.appending(String(sha256.prefix(2))) }

    /// - Parameter bundle: a single path component, checked before.
    func records(of bundle: BundleName) -> FilePath { bundles.appending(bundle.text) }

    func record(of version: SemanticVersion, in bundle: BundleName) -> FilePath {
        records(of: bundle).appending(version.description + Self.recordSuffix)
    }

    /// Creates the folders. Idempotent.
    func prepare() throws(Errno) {
        for folder in [root, objects, incoming, bundles, variants] { try folder.createFolder() }
    }

    /// Replaces the version's record by an atomic, durable write.
    func write(_ record: VersionRecord) throws {
        let (manifest, bytes) = (record.manifest, try JSONEncoder.canonical.encode(record))
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
    /// The permissions of objects, which are immutable.
    static let nobodyWrites: FilePermissions = [.ownerRead, .groupRead, .otherRead]
}
