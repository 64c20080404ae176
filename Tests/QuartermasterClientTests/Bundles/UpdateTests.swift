import Foundation
import NIOHTTP1
import QuartermasterZstd
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// From one version to the next.
@Suite(.enabled(if: ShopServer.isBuilt)) struct UpdateTests {
    /// The same files; in one of them, a hundred bytes in the middle differ.
    private static let changed: [String: Data] = {
        var files = DownloadWorld.files
        files["large.bin"]?.replaceSubrange(700_000..<700_100, with: Data(repeating: 0, count: 100))
        files["copy/words.txt"] = nil
        files["new.txt"] = Data("new".utf8)
        return files
    }()

    private static func isPatch(_ request: DownloadProxy.Request) -> Bool {
        request.isContent && !changed.values.contains { ContentHash(of: $0).text == request.sha256 }
    }

    private static func bytes(_ world: DownloadWorld) -> Int {
        world.proxy.contentExchanges.reduce(0) { $0 + $1.bytes }
    }

    @Test func `An update uses patches where they work and whole files where they do not`() async throws {
        try await DownloadWorld.run { world in
            let devices = try [
                world.device(patches: ZstdPatchDecoder()), world.device(), world.device(patches: BrokenDecoder()),
                world.device(patches: ZstdPatchDecoder()), world.device(patches: ZstdPatchDecoder()),
            ]
            for device in devices { #expect(await device.download().phase == .installed) }
            try await world.publish("1.1.0", Self.changed)
            let small = 10_000
            let whole = try #require(Self.changed["large.bin"]).count
            let acts: [@Sendable (DownloadProxy.Request) -> DownloadProxy.Act] = [
                { _ in .forward }, { _ in .forward }, { _ in .forward },
                // The patch arrives with a wrong bit.
                { Self.isPatch($0) ? .flip(at: 20) : .forward },
                // The patch is gone.
                { Self.isPatch($0) ? .answer(status: 404) : .forward },
            ]
            for (place, device) in devices.enumerated() {
                world.proxy.decide(acts[place])
                let last = await device.download()
                #expect(last.phase == .installed && last.version == "1.1.0", "\(place) \(last)")
                #expect(try await device.installed() == Self.changed, "\(place)")
                #expect(place == 0 ? Self.bytes(world) < small : Self.bytes(world) >= whole, "\(place)")
                #expect(device.names(in: "partial") == [])
            }
        }
    }

    /// A decoder that writes something else.
    private struct BrokenDecoder: PatchDecoder {
        func apply(_ patch: URL, to base: URL, writing target: URL, size: Int) throws {
            try Data(repeating: 1, count: size).write(to: target)
        }
    }

    @Test func `A version stays on disk as long as the app reads it`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            var old = await device.store.installed(DownloadWorld.open)
            let file = try #require(old?.url(of: "copy/words.txt"))
            #expect(old?.url(of: "../words.txt") == nil && old?.url(of: "none") == nil)
            try await world.publish("1.1.0", Self.changed)
            #expect(await device.download().phase == .installed)
            #expect(await device.store.installedVersions == [DownloadWorld.open: "1.1.0"])
            await device.store.removeOldVersions()
            #expect(try Data(contentsOf: file) == DownloadWorld.files["copy/words.txt"])
            #expect(device.names(in: "versions/packs").count == 2)
            old = nil
            try await eventually("the old version is removed") { device.names(in: "versions/packs").count == 1 }
            #expect(try await device.installed() == Self.changed)

            // A version that nobody reads is removed at the next start.
            try await world.publish("1.2.0", DownloadWorld.files)
            #expect(await device.download().phase == .installed)
            let next = try world.device(in: device.folder)
            await next.store.removeOldVersions()
            #expect(next.names(in: "versions/packs").count == 1)
            #expect(try await next.installed() == DownloadWorld.files)
            #expect(next.names(in: "objects").count == Set(DownloadWorld.files.values).count)

            await next.store.remove(DownloadWorld.open)
            #expect(await next.store.installed(DownloadWorld.open) == nil)
            #expect(next.names(in: "versions/packs") == [] && next.names(in: "objects") == [])
        }
    }

    /// Asking whether there is something new costs one answer without a body, and no delivery.
    @Test func `Asking for an update costs one answer without a body`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            try await eventually("it is confirmed") { await device.isConfirmed }
            // The server may still be compressing files, which appear in the manifest.
            try await eventually("nothing is new") {
                world.proxy.decide { _ in .forward }
                let newer = try await device.store.update(of: DownloadWorld.open)
                #expect(newer == nil)
                return world.proxy.exchanges.map(\.status) == [304]
            }
            #expect(world.proxy.exchanges.map(\.bytes) == [0])
            try await world.publish("1.1.0", Self.changed)
            #expect(try await device.store.update(of: DownloadWorld.open) == "1.1.0")
            #expect(await device.store.installedVersions == [DownloadWorld.open: "1.0.0"])
            await #expect(throws: DownloadError.unknownBundle) { try await device.store.update(of: "other") }
        }
    }

    /// The server is told once what arrived, however often the answer is lost.
    @Test func `A delivery is confirmed once, also after a restart`() async throws {
        try await DownloadWorld.run { world in
            let isConfirmation: @Sendable (DownloadProxy.Request) -> Bool = { $0.path.hasSuffix("/confirm") }
            world.proxy.decide { isConfirmation($0) ? .answer(status: 503) : .forward }
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            try await eventually("it was tried") { world.proxy.exchanges.contains { isConfirmation($0.request) } }
            await device.store.stop()
            try await world.proxy.waitUntilIdle()

            world.proxy.decide { isConfirmation($0) ? .drop : .forward }
            let second = try world.device(in: device.folder)
            await second.store.sendConfirmations()
            // Removed before the server knows.
            await second.store.remove(DownloadWorld.open)

            world.proxy.decide { _ in .forward }
            let third = try world.device(in: device.folder)
            await third.store.sendConfirmations()
            #expect(world.proxy.exchanges.filter { isConfirmation($0.request) }.map(\.status) == [200])
            await third.store.sendConfirmations()
            #expect(world.proxy.exchanges.count == 1)
            #expect(third.names(in: "").contains("outbox.json") == false)

            // Installed and confirmed: a second download of the same version says nothing.
            #expect(await third.download().phase == .installed)
            try await eventually("it is confirmed") { await third.isConfirmed }
            world.proxy.decide { _ in .forward }
            #expect(await third.download().phase == .installed)
            await third.store.sendConfirmations()
            #expect(world.proxy.exchanges.map(\.status) == [200])
        }
    }
}
