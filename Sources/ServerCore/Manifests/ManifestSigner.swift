import Basics
import Content
import Foundation
import InAppPurchase
import ServerHTTP
import Synchronization

/// Signs each manifest once, and its freshness statement once a minute, and caches both.
final class ManifestSigner: Sendable {
    /// The maximum bytes of cached manifests, after which the cache starts anew: more than a game's manifests amount
    /// to.
    static let maximumBytes = 64 << 20
    /// The maximum number of cached statements, after which the cache starts anew: clients could send any version of an
    /// app.
    static let maximumStatements = 10_000

    private struct Name: Hashable {
        let bundle: BundleName
        let version: String

        init(_ manifest: Manifest) {
            bundle = manifest.bundle
            version = manifest.version.description
        }
    }

    /// The key of a statement: different clients may be offered different versions.
    private struct Offer: Hashable {
        let name: Name
        let client: BundleClient
    }

    private struct Entry {
        let state: ContentState
        let manifest: ReadyManifest
    }

    private struct Cache {
        var manifests: [Name: Entry] = [:]
        var words: [Offer: ManifestFreshness] = [:]
        var bytes = 0

        mutating func insert(_ entry: Entry, _ name: Name) {
            bytes += entry.manifest.byteCount - (manifests[name]?.manifest.byteCount ?? 0)
            if bytes > ManifestSigner.maximumBytes { self = Cache(bytes: entry.manifest.byteCount) }
            manifests[name] = entry
        }
    }

    private let keyring: ManifestKeyring
    private let cache = Mutex(Cache())

    init(_ keyring: ManifestKeyring) { self.keyring = keyring }

    /// The manifest, signed and ready to be sent.
    ///
    /// - Parameters:
    ///   - state: the state of the content, read before the manifest was.
    ///   - variants: returns the variants of the file with this SHA-256.
    func ready(
        _ manifest: Manifest, _ state: ContentState, at date: Date, variants: (String) async throws -> [ContentVariant]
    ) async throws -> ReadyManifest {
        let (key, name) = (keyring.keys.signing(at: date), Name(manifest))
        let known = cache.withLock { $0.manifests[name] }
        let isSigned = known?.manifest.signed.key == key.number
        if let known, isSigned, known.state == state { return known.manifest }
        var found: [String: [ContentVariant]] = [:]
        for file in manifest.files { found[file.sha256] = try await variants(file.sha256) }
        // The state may have changed because another version was published.
        let signed = known.flatMap { isSigned && $0.manifest.signed.manifest == manifest ? $0.manifest.signed : nil }
        let ready = ReadyManifest(try signed ?? SignedManifest(manifest, by: key), found)
        cache.withLock { $0.insert(Entry(state: state, manifest: ready), name) }
        return ready
    }

    /// The statement that this is the newest version for such a client, in compact serialization.
    func freshness(of signed: SignedManifest, for client: BundleClient, at date: Date) throws -> String {
        let offer = Offer(name: Name(signed.manifest), client: client)
        if let known = cache.withLock({ $0.words[offer] }), known.serves(signed, at: date) { return known.jws }
        let word = try ManifestFreshness(signed, for: client, by: keyring.keys.signing(at: date), at: date)
        cache.withLock { cache in
            if cache.words.count >= Self.maximumStatements { cache.words = [:] }
            cache.words[offer] = word
        }
        return word.jws
    }
}

/// The state of everything that the manifests of the content are made from.
struct ContentState: Hashable, Sendable {
    let versions: Int
    let variants: Int

    init(versions: Int, variants: Int) {
        self.versions = versions
        self.variants = variants
    }

    init(of content: any ContentRepository) {
        self.init(versions: content.revision, variants: content.variantsRevision)
    }
}
