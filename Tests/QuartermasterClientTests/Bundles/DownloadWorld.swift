import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// A server process with bundles, a proxy in front of it, and devices that download through the proxy.
struct DownloadWorld: Sendable {
    /// Open for everybody.
    static let open = "packs"
    /// Needs a purchase.
    static let paid = "hard-words"
    /// Needs a subscription, after which it stays.
    static let kept = "night-theme"

    /// Several pieces, one piece, encoded forms, nothing, the same bytes twice, and folders.
    static let files: [String: Data] = [
        "large.bin": bytes(900_000, seed: 1), "sounds/second.bin": bytes(300_000, seed: 2),
        "sounds/deep/third.bin": bytes(262_145, seed: 3), "words.txt": text(of: 400), "empty": Data(),
        "copy/words.txt": text(of: 400),
    ]

    let server: ShopServer
    let proxy: DownloadProxy
    let folder: URL

    /// - Parameter more: further open bundles, each with the files of its version 1.0.0.
    static func run(
        _ files: [String: Data] = files, and more: [String: [String: Data]] = [:],
        _ test: @Sendable (DownloadWorld) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for bundle in [open, paid] { try write(files, to: folder.appending(path: "content/\(bundle)/1.0.0")) }
        try write(["words.txt": text(of: 1)], to: folder.appending(path: "content/\(kept)/1.0.0"))
        for (bundle, files) in more { try write(files, to: folder.appending(path: "content/\(bundle)/1.0.0")) }
        let everybodys = ([open] + more.keys).map { #""\#($0)""# }.joined(separator: ", ")
        let catalog =
            #""openBundles": [\#(everybodys)], "products": ["#
            + #"{"id": "words", "type": "non-consumable", "bundles": ["\#(paid)"]}, {"id": "night", "#
            + #""type": "non-renewing", "duration": "P1M", "bundles": ["\#(kept)"], "afterExpiry": "keep"}]"#
        let server = try await ShopServer(catalog: catalog, content: folder.appending(path: "content"))
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        do {
            try await test(DownloadWorld(server: server, proxy: proxy, folder: folder))
        } catch {
            try? await proxy.stop()
            try? await server.end()
            throw error
        }
        try await proxy.stop()
        try await server.end()
    }

    static func write(_ files: [String: Data], to folder: URL) throws {
        for (path, bytes) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }
    }

    /// Random bytes, which nothing makes smaller.
    static func bytes(_ count: Int, seed: UInt64) -> Data {
        var generator = SeededGenerator(seed: seed)
        var bytes = Data(capacity: count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return bytes.prefix(count)
    }

    static func text(of lines: Int) -> Data {
        Data((0..<lines).map { "word \($0)\tThe meaning of the word \($0)\n" }.joined().utf8)
    }

    /// Publishes a version of a bundle, with its patches.
    func publish(_ version: String, _ files: [String: Data], of bundle: String = open) async throws {
        let source = folder.appending(path: "source-\(bundle)-\(version)")
        try Self.write(files, to: source)
        _ = try await server.command(
            "bundles", "publish", source.path, "--bundle", bundle, "--version", version,
            "--content", folder.appending(path: "content").path)
        try await eventually("\(version) is served") {
            let manifest = try await manifest(of: bundle)
            return String(decoding: manifest, as: UTF8.self).contains(#""version":"\#(version)""#)
        }
    }

    /// The server's own answer to an account that never downloads.
    func manifest(of bundle: String = open) async throws -> Data {
        let api = API(server: server.url, transport: HTTPTransport(timeouts: .patient))
        let session = AccountSession(
            api: api, credentials: FileCredentials(folder.appending(path: "watcher.json")), bundleID: ShopServer.app,
            folder: folder.appending(path: "watcher"), makeKey: { UUID().uuidString + UUID().uuidString })
        _ = try await session.open()
        var request = APIRequest(.get, "v1", "bundles", bundle)
        request.query = [("appVersion", "2.1")]
        return try await session.send(request).body
    }

    /// A device with a folder of its own, or with that of another device that has ended.
    func device(
        in folder: URL? = nil, patches: (any PatchDecoder)? = nil, appVersion: String? = "2.1", now: Date? = nil,
        content: (any ContentTransport)? = nil,
        trust: KeyTrust = KeyTrust(), freeSpace: Int? = nil, timeouts: HTTPTimeouts = .patient,
        uptime: @escaping @Sendable () -> Duration = ClientClock.system.uptime
    ) throws -> BundleDevice {
        try BundleDevice(
            self, folder: folder, patches: patches, appVersion: appVersion, now: now, content: content, trust: trust,
            freeSpace: freeSpace, timeouts: timeouts, uptime: uptime)
    }
}
