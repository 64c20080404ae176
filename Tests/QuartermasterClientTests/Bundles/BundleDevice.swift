import Foundation
import Synchronization
import Testing

@testable import QuartermasterClient

/// A device of a player: its store, on disk in a folder.
struct BundleDevice: Sendable {
    let folder: URL
    let session: AccountSession
    let store: BundleStore
    /// How often, and for how long, it would have waited.
    let waits: Waits

    /// Waits are over at once, and counted.
    final class Waits: Sendable {
        private let content = Mutex<[Duration]>([])

        var all: [Duration] { content.withLock { $0 } }

        func add(_ wait: Duration) { content.withLock { $0.append(wait) } }
    }

    /// - Parameters:
    ///   - uptime: the time that passes for it.
    init(
        _ world: DownloadWorld, folder: URL? = nil, patches: (any PatchDecoder)? = nil, appVersion: String? = "2.1",
        now: Date? = nil, content: (any ContentTransport)? = nil, trust: KeyTrust = KeyTrust(), freeSpace: Int? = nil,
        timeouts: HTTPTimeouts = .patient,
        uptime: @escaping @Sendable () -> Duration = ClientClock.system.uptime
    ) throws {
        let folder = folder ?? world.folder.appending(path: "device-\(UUID().uuidString)")
        let waits = Waits()
        let clock = ClientClock(
            now: { now ?? Date() }, uptime: uptime,
            sleep: { wait in
                waits.add(wait)
                await Task.yield()
                try Task.checkCancellation()
            }, fraction: { 0.5 })
        let api = API(server: world.proxy.url, transport: HTTPTransport(timeouts: timeouts))
        session = AccountSession(
            api: api, credentials: FileCredentials(folder.appending(path: "account.json")),
            bundleID: ShopServer.app, folder: folder, makeKey: { UUID().uuidString + UUID().uuidString })
        try ClientFolder.prepare(folder)
        let time = ServerTime(clock: clock, folder: folder)
        let keys = ManifestKeys(api: api, folder: folder, clock: clock, time: time, trust: trust)
        store = try BundleStore(
            folder: folder.appending(path: "content"), api: api, session: session, keys: keys,
            content: content, patches: patches,
            clock: clock, time: time, appVersion: appVersion, freeSpace: { freeSpace ?? FreeSpace.bytes(at: $0) })
        self.folder = folder
        self.waits = waits
    }

    var content: URL { folder.appending(path: "content") }

    /// Downloads the bundle, and returns how that ended.
    func download(_ bundle: String = DownloadWorld.open) async -> DownloadProgress {
        var last = DownloadProgress(bundle: bundle)
        for await progress in store.download(bundle) { last = progress }
        return last
    }

    /// The files that are installed, each read from the disk.
    func installed(_ bundle: String = DownloadWorld.open) async throws -> [String: Data] {
        guard let installed = await store.installed(bundle) else { return [:] }
        return try installed.paths.reduce(into: [:]) { files, path in
            files[path] = try Data(contentsOf: #require(installed.url(of: path)))
        }
    }

    /// Whether the server has the confirmation that the bundle is here.
    var isConfirmed: Bool { get async { await store.records[DownloadWorld.open]?.unconfirmed == [] } }

    /// The names in one of the folders of the store.
    func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: content.appending(path: name).path)) ?? []).sorted()
    }
}
