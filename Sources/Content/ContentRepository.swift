package import Foundation
package import InAppPurchase

/// Where bundles are kept: what there is, and where its bytes are.
///
/// Every method answers from one consistent state of the store. Nothing that a client sends becomes part of a path:
/// bundles, versions and hashes are looked up among those that the store has found.
package protocol ContentRepository: Sendable {
    /// The names of all bundles, sorted.
    func bundles() -> [BundleName]

    /// The files of a version of the bundle, or of its newest that is offered: the highest release, or where there is
    /// none the highest pre-release. Nil where there is no such bundle or version.
    func manifest(of bundle: BundleName, version: SemanticVersion?) async throws -> Manifest?

    /// All versions of the bundle in whatever state, drafts too; lowest first.
    func records(of bundle: BundleName) async throws -> [VersionRecord]

    /// Where the bytes with this SHA-256 (lower-case hexadecimal) are now; nil where no bundle has them. Variants have
    /// places too.
    func location(of sha256: String) async throws -> ContentLocation?

    /// What the file with this SHA-256 can be made from; none where there is nothing, or no such file.
    func variants(of sha256: String) async throws -> [ContentVariant]

    /// The size of the file with this hash that a version or a draft names; nil where none does.
    func size(ofNamed sha256: String) -> Int?

    /// Takes up what was published since.
    ///
    /// What has a problem is left out, or stays as it was where it was published before. A second call while one is
    /// under way returns at once, with nothing changed.
    func refresh(at date: Date) async -> ContentChanges

    /// As ``refresh(at:)``, but takes its turn where one is under way: what was written before the call is served when
    /// it returns.
    func reload(at date: Date) async throws -> ContentChanges

    /// How often it is worth a look.
    var refreshInterval: Duration { get }
}
