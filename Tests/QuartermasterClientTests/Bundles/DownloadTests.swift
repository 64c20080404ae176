import Foundation
import NIOHTTP1
import QuartermasterZstd
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// Downloads from a real server, through a proxy that treats them as networks do.
@Suite(.enabled(if: ShopServer.isBuilt)) struct DownloadTests {
    /// The seed of the network in which answers also stop.
    private static let stallingSeed = 1

    /// The answers of a bad network, drawn at random; the same seed draws the same.
    private static func faults(_ seed: Int, rate: Int = 3) -> @Sendable (DownloadProxy.Request) -> DownloadProxy.Act {
        let generator = Mutex(SeededGenerator(seed: UInt64(seed)))
        return { request in
            generator.withLock { generator in
                guard Int.random(in: 0..<rate, using: &generator) == 0 else { return .forward }
                let place = Int.random(in: 0..<300_000, using: &generator)
                guard request.isContent else {
                    return [.drop, .answer(status: 503), .cut(after: place % 300), .answer(status: 200)]
                        .randomElement(using: &generator) ?? .drop
                }
                // The client waits for its idle timeout.
                if seed == Self.stallingSeed, place % 4 == 0 { return .stall(after: place) }
                return [
                    .drop, .cut(after: place), .cut(after: 0), .whole, .truncate(by: place), .misplace,
                    .answer(status: 500), .answer(status: 429, headers: [("Retry-After", "7")]),
                    .answer(status: 403), .answer(status: 404), .answer(status: 416),
                    .answer(status: 200, body: Data("<html>Please log in</html>".utf8)),
                ].randomElement(using: &generator) ?? .drop
            }
        }
    }

    @Test func `A download over a bad network is complete in the end`() async throws {
        try await DownloadWorld.run { world in
            for seed in 1...20 {
                world.proxy.decide(Self.faults(seed))
                let timeouts = seed == Self.stallingSeed ? HTTPTimeouts(idle: .seconds(2)) : .patient
                let device = try world.device(timeouts: timeouts)
                var last = await device.download()
                for _ in 0..<50 where last.phase == .failed(.offline) { last = await device.download() }
                #expect(last.phase == .installed && last.fraction == 1, "seed \(seed)")
                #expect(try await device.installed() == DownloadWorld.files, "seed \(seed)")
                #expect(device.names(in: "partial") == [] && device.names(in: "unfinished") == [])
                let content = world.proxy.contentExchanges
                #expect(content.allSatisfy { !$0.request.headers.contains(name: "Authorization") })
                #expect(content.contains { $0.status != 206 }, "nothing was wrong")
            }
        }
    }

    /// A flipped bit is found, whatever file it is in; the second one ends the download.
    @Test func `Files with wrong bytes are never installed`() async throws {
        try await DownloadWorld.run { world in
            let flipped = Mutex<Set<String>>([])
            world.proxy.decide { request in
                guard request.isContent, request.start == 0 else { return .forward }
                return flipped.withLock { $0.insert(request.sha256).inserted } ? .flip(at: 99) : .forward
            }
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            #expect(try await device.installed() == DownloadWorld.files)

            world.proxy.decide { $0.isContent ? .flip(at: 99) : .forward }
            let other = try world.device()
            guard case .failed(.corrupted(let path)) = await other.download().phase else {
                Issue.record("not corrupted")
                return
            }
            #expect(DownloadWorld.files[path] != nil)
            #expect(await other.store.installed(DownloadWorld.open) == nil)
            #expect(other.names(in: "versions") == [] && other.names(in: "bundles") == [])
        }
    }

    /// A download stopped anywhere and continued by another process fetches at most one piece of each file twice.
    @Test func `A download that was stopped goes on where it was in another process`() async throws {
        try await DownloadWorld.run { world in
            // On a busy machine a download may end before it is stopped: until one was not.
            var requests = 0
            for attempt in 0..<20 where requests <= 3 {
                requests = try await Self.downloadWithStops(world, in: world.folder.appending(path: "device\(attempt)"))
            }
            #expect(requests > 3)
        }
    }

    /// - Returns: the number of requests for the file that took the most.
    private static func downloadWithStops(_ world: DownloadWorld, in folder: URL) async throws -> Int {
        world.proxy.decide { _ in .forward }
        for share in [0.0, 0.2, 0.3, 0.5, 0.7, 0.9] {
            let device = try world.device(in: folder)
            let download = device.store.download(DownloadWorld.open)
            for await progress in download where progress.received > 0 && progress.fraction >= share { break }
            await device.store.stop()
            #expect([.paused, .installed].contains(download.progress.phase))
            // A request that was stopped is recorded before those of the next device.
            try await world.proxy.waitUntilIdle()
        }
        let device = try world.device(in: folder)
        #expect(await device.download().phase == .installed)
        #expect(try await device.installed() == DownloadWorld.files)
        let ranges = Dictionary(grouping: world.proxy.contentExchanges, by: \.request.sha256)
        for exchanges in ranges.values {
            let starts = exchanges.map(\.request.start)
            #expect(starts == starts.sorted(), "nothing before the last piece")
        }
        return ranges.values.map(\.count).max() ?? 0
    }

    /// Whatever a killed process or a disk has left behind.
    @Test func `Files left on disk are checked before they are used`() async throws {
        try await DownloadWorld.run { world in
            let large = ContentHash(of: try #require(DownloadWorld.files["large.bin"]))
            let second = ContentHash(of: try #require(DownloadWorld.files["sounds/second.bin"]))
            let words = ContentHash(of: try #require(DownloadWorld.files["words.txt"]))
            let device = try world.device()
            let partial = device.content.appending(path: "partial")
            try Data(repeating: 7, count: 700_000).write(to: partial.appending(path: large.text))
            try Data(repeating: 7, count: 700_001).write(to: partial.appending(path: second.text))
            try DownloadWorld.bytes(9, seed: 9).write(to: device.content.appending(path: "objects/\(words.text)"))
            try Data("{".utf8).write(to: device.content.appending(path: "bundles/packs.json"))
            try Data("{".utf8).write(to: device.content.appending(path: "keys.json"))
            try DownloadWorld.write(["half": Data()], to: device.content.appending(path: "versions/packs/1.0.0-x"))
            #expect(await device.download().phase == .installed)
            #expect(try await device.installed() == DownloadWorld.files)

            let again = try world.device(in: device.folder)
            await again.store.removeOldVersions()
            #expect(try await again.installed() == DownloadWorld.files)
            #expect(again.names(in: "versions/packs").count == 1)
            #expect(again.names(in: "objects").count == Set(DownloadWorld.files.values).count)

            // The app has written into a version, though it may not.
            let file = try #require(await again.store.installed(DownloadWorld.open)?.url(of: "words.txt"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data("X".utf8))
            try handle.close()
            try await world.publish("1.1.0", DownloadWorld.files.merging(["new": Data([1])]) { $1 })
            #expect(await again.download().phase == .installed)
            #expect(try await again.installed()["words.txt"] == DownloadWorld.files["words.txt"])
        }
    }

    @Test func `A download can be paused, resumed and cancelled`() async throws {
        try await DownloadWorld.run { world in
            world.proxy.decide { $0.isContent && $0.start > 300_000 ? .stall(after: 10_000) : .forward }
            let device = try world.device()
            let download = device.store.download(DownloadWorld.open)
            for await progress in download where progress.received > 600_000 { break }
            await download.pause()
            #expect(download.progress.phase == .paused)
            let bytes = world.proxy.exchanges.count
            #expect(!device.names(in: "partial").isEmpty && device.names(in: "unfinished") == ["packs.json"])
            await device.store.removeOldVersions()
            #expect(!device.names(in: "partial").isEmpty)

            // Two downloads of a bundle are one.
            let second = device.store.download(DownloadWorld.open)
            for await progress in second where progress.phase == .downloading { break }
            #expect(download.progress.phase == second.progress.phase)
            await second.pause()
            #expect(world.proxy.exchanges.count > bytes)

            world.proxy.decide { _ in .forward }
            await download.resume()
            var phases: [DownloadProgress.Phase] = []
            for await progress in download { phases.append(progress.phase) }
            #expect(phases.last == .installed)
            #expect(try await device.installed() == DownloadWorld.files)

            try await world.publish("1.1.0", ["large.bin": DownloadWorld.bytes(1_000_000, seed: 9)])
            world.proxy.decide { $0.isContent && $0.start > 300_000 ? .stall(after: 10_000) : .forward }
            let update = device.store.download(DownloadWorld.open)
            for await progress in update where progress.received > 300_000 { break }
            await update.cancel()
            #expect(update.progress.phase == .failed(.cancelled))
            #expect(device.names(in: "partial") == [] && device.names(in: "unfinished") == [])
            #expect(try await device.installed() == DownloadWorld.files)
            await update.resume()
            #expect(update.progress.phase == .failed(.cancelled))
        }
    }

    /// A server that cannot be reached or sends nothing, or a full disk, ends a download; what was fetched stays.
    @Test func `A download that cannot go on ends with its error and keeps what it has`() async throws {
        try await DownloadWorld.run { world in
            let device = try world.device()
            world.proxy.decide { _ in .drop }
            #expect(await device.download().phase == .failed(.offline))
            #expect(device.waits.all.count == BundleLimits.firstAttempts - 1)

            world.proxy.decide { $0.isContent && $0.start > 0 ? .answer(status: 503) : .forward }
            #expect(await device.download().phase == .failed(.offline))
            #expect(!device.names(in: "partial").isEmpty)

            // What was stopped with it would be recorded below.
            try await world.proxy.waitUntilIdle()

            let full = try world.device(freeSpace: 1_000_000)
            world.proxy.decide { _ in .forward }
            let needed =
                DownloadWorld.files.values.reduce(0) { $0 + $1.count } + BundleLimits.spareBytes
                - (DownloadWorld.files["words.txt"]?.count ?? 0)
            #expect(await full.download().phase == .failed(.noSpace(needed: needed, available: 1_000_000)))
            #expect(world.proxy.contentExchanges.isEmpty)

            // Some volumes state 0, and are not full.
            #expect(await (try world.device(freeSpace: 0)).download().phase == .installed)

            #expect(await device.download("nothing").phase == .failed(.unknownBundle))
            #expect(await device.download(DownloadWorld.paid).phase == .failed(.notEntitled(reason: "notPurchased")))
            #expect(await device.download().phase == .installed)
        }
    }

    @Test func `A version whose record cannot be read for the moment is not removed`() async throws {
        try await DownloadWorld.run { world in
            let first = try world.device()
            #expect(await first.download().phase == .installed)
            await first.store.stop()
            let file = first.content.appending(path: "bundles/\(DownloadWorld.open).json")
            let away = first.folder.appending(path: "away")
            try FileManager.default.moveItem(at: file, to: away)
            try FileManager.default.createSymbolicLink(
                atPath: file.path, withDestinationPath: "\(DownloadWorld.open).json")
            let second = try world.device(in: first.folder)
            #expect(await second.store.installedVersions.isEmpty)
            await second.store.removeOldVersions()
            await second.store.stop()

            try FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: away, to: file)
            let third = try world.device(in: first.folder)
            #expect(try await third.installed() == DownloadWorld.files)
        }
    }

    /// A redirection to another host takes the range along and no secret.
    @Test func `A redirection to another host is followed without the access token`() async throws {
        try await DownloadWorld.run { world in
            let elsewhere = try await DownloadProxy.start(upstream: world.server.url)
            let port = elsewhere.port
            world.proxy.decide { request in
                guard request.isContent else { return .forward }
                return .answer(status: 303, headers: [("Location", "http://localhost:\(port)\(request.uri)")])
            }
            let device = try world.device()
            #expect(await device.download().phase == .installed)
            #expect(try await device.installed() == DownloadWorld.files)
            let reached = elsewhere.contentExchanges
            #expect(reached.count >= DownloadWorld.files.count - 1)
            #expect(reached.contains { $0.status == 206 })
            #expect(reached.allSatisfy { !$0.request.headers.contains(name: "Authorization") })
            try await elsewhere.stop()
        }
    }
}
