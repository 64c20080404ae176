package import Basics
package import Content
import Crypto
package import Foundation
package import InAppPurchase
import Ledger
package import Logging
import ServerHTTP
import ServiceLifecycle
import StrictJSON
import Synchronization

/// The dates at which versions were published: the content repository's, and for folders that were made by hand, when a
/// server of this ledger first saw them. Of these it also records the files, so that no later server publishes others.
package final class PublicationDates: Service {
    /// The time between two checks for versions without a date, as often as a content folder is reloaded.
    package static let interval = Duration.seconds(2)
    private static let prefix = "content/seen/"
    private static let filesPrefix = "content/files/"

    private let store: any KeyValueStore
    private let content: any ContentRepository
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let dates: Mutex<[String: Date]>
    /// The SHA-256 of each manifest in the ledger, by its key.
    private let files: Mutex<[String: SHA256.Digest]>
    /// The revision of the content whose versions all have a date; `nil` until there is one.
    private let recorded = Mutex<Int?>(nil)

    /// - Throws: what the key-value store throws.
    package init(
        _ content: any ContentRepository, _ store: any KeyValueStore, clock: @escaping @Sendable () -> Date,
        logger: Logger
    ) async throws {
        self.content = content
        self.store = store
        self.clock = clock
        self.logger = logger
        dates = Mutex(try await store.values(withPrefix: Self.prefix).compactMapValues(Self.date))
        files = Mutex(try await store.values(withPrefix: Self.filesPrefix).mapValues { SHA256.hash(data: $0) })
    }

    /// The manifests of versions in folders made by hand, as servers of this ledger published them.
    ///
    /// - Throws: what the key-value store throws.
    package static func published(in store: any KeyValueStore) async throws -> [Manifest] {
        try await store.values(withPrefix: filesPrefix).values.compactMap { text in
            try? StrictJSON(text, .contentRecord).decode(Manifest.self)
        }
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            var trouble: String?
            while true {
                do {
                    try await record()
                    trouble = nil
                } catch {
                    if trouble != "\(error)" {
                        logger.error(
                            "publication dates of new bundle versions could not be recorded",
                            metadata: ["error": "\(error)"])
                    }
                    trouble = "\(error)"
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Records the versions that were not seen before, and forgets the files of those that are gone. Cheap if there are
    /// none.
    ///
    /// - Throws: what the key-value store throws; the next call records what is missing.
    package func record() async throws {
        let revision = content.revision
        guard recorded.withLock({ $0 }) != revision else { return }
        var byHand: [String: Data] = [:]
        for bundle in content.bundles() {
            for record in try await content.records(of: bundle) where record.state != .draft {
                let manifest = record.manifest
                if record.publishedAt == nil {
                    byHand[Self.key(of: manifest, Self.filesPrefix)] = try JSONEncoder.canonical.encode(
                        Manifest(bundle: bundle, version: manifest.version, files: manifest.files))
                }
                if date(of: record) == nil { try await recordDate(of: manifest) }
            }
        }
        try await recordFiles(byHand)
        recorded.withLock { $0 = revision }
    }

    private func recordDate(of manifest: Manifest) async throws {
        let (key, now) = (Self.key(of: manifest), clock())
        let first = try await store.establish(Data(String(now.milliseconds).utf8), forKey: key)
        dates.withLock { $0[key] = Self.date(first) ?? now }
    }

    /// - Parameter manifests: those of all versions in folders made by hand, by their keys.
    private func recordFiles(_ manifests: [String: Data]) async throws {
        let known = files.withLock { $0 }
        for (key, manifest) in manifests {
            let digest = SHA256.hash(data: manifest)
            guard known[key] != digest else { continue }
            if known[key] == nil {
                // Of several servers that see it first, the first one decides.
                _ = try await store.establish(manifest, forKey: key)
            } else {
                try await store.set([key: manifest])
            }
            files.withLock { $0[key] = digest }
        }
        let gone = known.keys.filter { manifests[$0] == nil }
        guard !gone.isEmpty else { return }
        try await store.removeValues(forKeys: gone)
        files.withLock { files in for key in gone { files[key] = nil } }
    }

    /// The versions of the bundle with their dates; a version that is not recorded yet counts as published now.
    package func records(of bundle: BundleName, at now: Date) async throws -> [VersionRecord] {
        try await content.records(of: bundle).map { record in
            var dated = record
            dated.publishedAt = date(of: record) ?? now
            return dated
        }
    }

    /// Returns whether the account can still read a version of one of the entitlement's bundles.
    ///
    /// - Parameter isBeta: whether the account is on the beta channel.
    func hasRetainedVersion(_ entitlement: ProductEntitlement, isBeta: Bool, at now: Date) async throws -> Bool {
        let retained = entitlement.retained
        let reader = VersionChoice.Reader(
            isBeta: isBeta, mayRead: retained.contains, subscriptionDates: retained.ranges.map(\.lowerBound))
        for bundle in entitlement.bundles {
            let choice = VersionChoice(try await records(of: bundle, at: now), for: reader)
            if !choice.readable.isEmpty { return true }
        }
        return false
    }

    private func date(of record: VersionRecord) -> Date? {
        record.publishedAt ?? dates.withLock { $0[Self.key(of: record.manifest)] }
    }

    private static func key(of manifest: Manifest, _ prefix: String = prefix) -> String {
        "\(prefix)\(manifest.bundle)/\(manifest.version)"
    }

    private static func date(_ value: Data) -> Date? {
        Int(String(decoding: value, as: UTF8.self)).map(Date.init(milliseconds:))
    }
}
