import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOHTTP1
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The cache has what the content store has, and never more than it may.
@Suite struct ContentCacheTests {
    private static func insert(_ name: String, in shop: DownloadServer, at date: Date) async throws {
        let sha256 = try shop.sha256(name)
        guard let location = try await shop.routes.services.content.location(of: sha256) else { return }
        await shop.routes.services.cache.insert(Representation(sha256: sha256, variants: []), at: location, date)
    }

    @Test func `A file stays in the cache as long as it is checked`() async throws {
        try await DownloadServer.run { shop in
            let (cache, start) = (shop.routes.services.cache, World.start)
            let sha256 = try shop.sha256("large.txt")
            #expect(cache.file(sha256, at: start) == nil)
            try await Self.insert("large.txt", in: shop, at: start)
            #expect(cache.file(sha256, at: start + ContentCache.freshSeconds) != nil)
            #expect(cache.file(sha256, at: start + ContentCache.freshSeconds + 1) == nil)
            await cache.refresh(at: start + 30)
            #expect(cache.file(sha256, at: start + 30) != nil)
            await cache.refresh(at: start + 30 + ContentCache.idleSeconds)
            #expect(cache.count == 1)
            await cache.refresh(at: start + 31 + ContentCache.idleSeconds)
            #expect(cache.count == 0)
        }
    }

    /// Somebody writes into the file, replaces it, or removes it.
    @Test(arguments: ["small.txt", "large.txt", "open.txt"], ["written", "replaced", "removed"])
    func `A file that changed is dropped from the cache and not sent`(name: String, act: String) async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let (sha256, link) = (try shop.sha256(name), try shop.link(name))
            let file = shop.folder.appending(path: "downloads/1.0.0/\(name)")
            switch act {
            case "written":
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data("other".utf8))
                try handle.close()
            case "replaced": try Data("other".utf8).write(to: file, options: .atomic)
            default: try FileManager.default.removeItem(at: file)
            }
            await shop.routes.services.cache.refresh(at: shop.world.clock.now)
            #expect(shop.routes.services.cache.file(sha256, at: shop.world.clock.now) == nil)
            // Its hash is still named: the client tries again.
            #expect(try await shop.world.call(.get, link).status == 503)
        }
    }

    /// Without the file in the folder, the open one still has the bytes of the hash.
    @Test func `A replaced file is sent as it was until it is checked`() async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let link = try shop.link("open.txt")
            try Data("other".utf8).write(to: shop.folder.appending(path: "downloads/1.0.0/open.txt"), options: .atomic)
            #expect(try await shop.world.call(.get, link).bytes == DownloadServer.bytes(DownloadServer.openBytes))
        }
    }

    /// A client that continues a download gets no part of what was written into the file since.
    @Test func `Bytes written into an open file are not sent`() async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let (link, sha256) = (try shop.link("open.txt"), try shop.sha256("open.txt"))
            let rest: HTTPFields = [.range: "bytes=1000-", .ifRange: "\"\(sha256)\""]
            #expect(try await shop.world.call(.get, link, headers: rest).status == 206)
            let handle = try FileHandle(forWritingTo: shop.folder.appending(path: "downloads/1.0.0/open.txt"))
            try handle.write(contentsOf: Data("other".utf8))
            try handle.close()
            #expect(try await shop.world.call(.get, link, headers: rest).status == 503)
        }
    }

    /// A file exchanged between the store's answer and its opening is not the one that was hashed.
    @Test func `A file of another size is not opened`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        try Data("abc".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(OpenContent(path: file.path, size: 3)?.read() == Array("abc".utf8))
        #expect(OpenContent(path: file.path, size: 4) == nil)
        #expect(OpenContent(path: file.path + "x", size: 3) == nil)
        #expect(OpenContent(path: "/", size: 3) == nil)
    }

    @Test func `The files in the cache are limited, and the oldest leaves`() async throws {
        try await DownloadServer.run { shop in
            let cache = shop.routes.services.cache
            let location = try #require(try await shop.routes.services.content.location(of: try shop.sha256("one.txt")))
            let store = OneFile(location: location)
            let many = ContentCache(store, sendfile: true) { World.start }
            for number in 0...Limits.openFiles {
                let file = Representation(sha256: "\(number)", variants: [])
                await many.insert(file, at: location, World.start + Double(number))
            }
            #expect(many.count == Limits.openFiles)
            #expect(many.file("0", at: World.start) == nil)
            #expect(many.file("1", at: World.start + 1) != nil)
            #expect(cache.count == 0)
        }
    }

    private struct OneFile: ContentRepository {
        let location: ContentLocation

        func bundles() -> [BundleName] { [] }
        func records(of bundle: BundleName) -> [VersionRecord] { [] }
        func variants(of sha256: String) -> [ContentVariant] { [] }
        func size(ofNamed sha256: String) -> Int? { nil }
        func refresh(at date: Date) -> ContentChanges { ContentChanges() }
        func reload(at date: Date) -> ContentChanges { ContentChanges() }
        var refreshInterval: Duration { .seconds(1) }
        var problems: [ContentError] { [] }
        var revision: Int { 0 }
        var variantsRevision: Int { 0 }
        func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? { nil }
        func location(of sha256: String) -> ContentLocation? { location }
    }

    /// If the system cannot send files without a copy, the routes read large ones.
    @Test func `Large files are read by the routes where the system cannot send them`() async throws {
        try await DownloadServer.run(environment: ["QUARTERMASTER_SENDFILE": "false"]) { shop in
            try await shop.warmUp()
            #expect(shop.routes.services.cache.file(try shop.sha256("small.txt"), at: World.start) != nil)
            #expect(shop.routes.services.cache.file(try shop.sha256("open.txt"), at: World.start) == nil)
            let answer = try await shop.world.call(
                .get, try shop.link("open.txt"), headers: [.range: "bytes=100000-"])
            #expect(
                answer.status == 206
                    && answer.bytes == DownloadServer.bytes(DownloadServer.openBytes).dropFirst(100_000))
        }
    }
}
