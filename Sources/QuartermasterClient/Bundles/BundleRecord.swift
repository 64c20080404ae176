import Foundation

/// An installed version, in `bundles/<bundle>.json`. Replacing that file is the switch from one version to the next.
struct BundleRecord: Sendable, Codable {
    /// A delivery to be confirmed to the server.
    struct Confirmation: Sendable, Codable, Hashable {
        let delivery: String
        /// The SHA-256 of the manifest's payload.
        let sha256: ContentHash
    }

    let bundle: String
    let version: String
    /// The name of the folder with its files, among those of the bundle.
    let folder: String
    let files: [SignedManifest.File]
    /// The SHA-256 of the manifest's payload.
    let manifest: ContentHash
    /// The entity tag for asking whether there is something new.
    var entityTag: String?
    /// The deliveries to be confirmed. Stored with the version, so that one write installs it and queues its
    /// confirmation.
    var unconfirmed: [Confirmation]
    /// The last delivery that was confirmed, or is to be.
    var delivery: String?
}
