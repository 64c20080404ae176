import Basics
import Content
import Crypto
import Foundation
import InAppPurchase
import ServerHTTP
import StrictJSON

/// A manifest with a signature, with which a client can trust the files wherever it got them from. It is the same for
/// every player, as long as the version is the same.
struct SignedManifest: Sendable {
    static let type = "quartermaster-manifest"

    private struct Payload: Encodable {
        var bundle: BundleName
        var version: SemanticVersion
        var files: [Manifest.File]
        var minimumAppVersion: SemanticVersion?
        var maximumAppVersion: SemanticVersion?
        var locale: String?
        var previous: [SemanticVersion]
    }

    let manifest: Manifest
    /// The number of the key.
    let key: Int
    /// The JWS in compact serialization.
    let jws: String
    /// The SHA-256 of the payload's bytes, in lower-case hexadecimal.
    let sha256: String

    init(_ manifest: Manifest, by key: ManifestKey) throws {
        let payload = try JSONEncoder.canonical.encode(
            Payload(
                bundle: manifest.bundle, version: manifest.version, files: manifest.files,
                minimumAppVersion: manifest.minimumAppVersion, maximumAppVersion: manifest.maximumAppVersion,
                locale: manifest.locale, previous: manifest.previousVersions))
        self.manifest = manifest
        self.key = key.number
        jws = try key.sign(payload, type: Self.type)
        sha256 = Data(SHA256.hash(data: payload)).hex
    }
}
