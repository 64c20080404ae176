package import Foundation
package import InAppPurchase

/// The published bundles: which versions there are, and where their bytes are. A folder or a bucket.
///
/// Every method answers from one consistent snapshot. Nothing that a client sends becomes part of a path: bundles,
/// versions and hashes are looked up among those that the last scan found.
package protocol ContentRepository: Sendable {
    /// The names of all bundles, sorted.
    func bundles() -> [BundleName]

    /// The manifest of the version, or, if `nil`, of the newest version that is offered: the highest release or, if
    /// there is none, the highest pre-release. `nil` if there is no such bundle or version.
    func manifest(of bundle: BundleName, version: SemanticVersion?) async throws -> Manifest?

    /// All versions of the bundle in any state, including drafts; lowest first.
    func records(of bundle: BundleName) async throws -> [VersionRecord]

    /// The current location of the bytes with this SHA-256 (lower-case hexadecimal), also of variants; `nil` if no
    /// bundle has them.
    func location(of sha256: String) async throws -> ContentLocation?

    /// The variants of the file with this SHA-256: compressed forms and patches. Empty if there are none, or no such
    /// file.
    func variants(of sha256: String) async throws -> [ContentVariant]

    /// The size of the file with this hash that a version or a draft names; `nil` if none does.
    func size(ofNamed sha256: String) -> Int?

    /// Scans for changes, unless there can be none, and serves what was published since.
    ///
    /// If something has a problem, it is left out, or served as it was published before. A second call while one is
    /// running returns at once, without changes.
    func refresh(at date: Date) async -> ContentChanges

    /// Like ``refresh(at:)``, but waits if one is running: what was written before the call is served when it returns.
    /// If the wait takes longer than about ten seconds, it returns without changes.
    func reload(at date: Date) async throws -> ContentChanges

    /// The problems that the last scan found, the first of many; empty if everything there is served.
    var problems: [ContentError] { get }

    /// A number that changes whenever the versions or their states change.
    var revision: Int { get }

    /// A number that changes whenever the variants of files change.
    var variantsRevision: Int { get }

    /// How often the server should call ``refresh(at:)``.
    var refreshInterval: Duration { get }
}
