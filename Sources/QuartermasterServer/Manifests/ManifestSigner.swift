import Content
import Foundation
import InAppPurchase
import Synchronization

/// Signs each manifest once, and its freshness statement once a minute, and caches both.
final class ManifestSigner: Sendable {
    /// The maximum bytes of cached manifests, after which the cache starts anew: more than a game's manifests come to.
    static let maximumBytes = 64 << 20
    /// The maximum of cached statements, after which the cache starts anew: clients could send any version of an app.
    static let maximumStatements = 10_000

    private struct Name: Hashable {
        let bundle: BundleName
        let version: String

        init(_ manifest: Manifest) {
            bundle = manifest.bundle
            version = manifest.version.description
        }
    }

    /// The key of a statement: one client may be offered another version than the next.
    private struct Offer: Hashable {
        let name: Name
        let client: BundleClient
    }

    private struct CachedManifest {
        var manifests: [Name: SignedManifest] = [:]
        var words: [Offer: ManifestFreshness] = [:]
        var bytes = 0
    }

    private let keyring: ManifestKeyring
    private let kept = Mutex(CachedManifest())

    init(_ keyring: ManifestKeyring) { self.keyring = keyring }

    func sign(_ manifest: Manifest, at date: Date) throws -> SignedManifest {
        let (key, name) = (keyring.keys.signing(at: date), Name(manifest))
        let known = kept.withLock { $0.manifests[name] }
        if let known, known.key == key.id, known.manifest == manifest { return known }
        let signed = try SignedManifest(manifest, by: key)
        kept.withLock { kept in
            kept.bytes += signed.jws.utf8.count - (kept.manifests[name]?.jws.utf8.count ?? 0)
            if kept.bytes > Self.maximumBytes { kept = CachedManifest(bytes: signed.jws.utf8.count) }
            kept.manifests[name] = signed
        }
        return signed
    }

    /// The statement that this is the newest version for such a client, in compact serialization.
    func freshness(of signed: SignedManifest, for client: BundleClient, at date: Date) throws -> String {
        let offer = Offer(name: Name(signed.manifest), client: client)
        if let known = kept.withLock({ $0.words[offer] }), known.serves(signed, at: date) { return known.jws }
        let word = try ManifestFreshness(signed, for: client, by: keyring.keys.signing(at: date), at: date)
        kept.withLock { kept in
            if kept.words.count >= Self.maximumStatements { kept.words = [:] }
            kept.words[offer] = word
        }
        return word.jws
    }
}
