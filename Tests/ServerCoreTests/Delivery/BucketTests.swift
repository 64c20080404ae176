import AsyncHTTPClient
import Basics
import Content
import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import LedgerSQL
import LedgerSQLite
import NIOCore
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Content in an object store, from its publication to the player's disk.
@Suite(.enabled(if: ObjectStoreServer.isInstalled, "scripts/object-store/tools.sh installs it")) struct BucketTests {
    /// A server on a bucket with the project's bundles.
    private static func run(_ test: @escaping @Sendable (World, BucketWorld) async throws -> Void) async throws {
        let bucket = try await BucketWorld(at: World.start)
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await bucket.publishAll(ledger, at: World.start)
        try await World.run(ledger: ledger, environment: bucket.environment) { world in try await test(world, bucket) }
    }

    @Test func `Bought content comes from the object store`() async throws {
        try await Self.run { world, bucket in
            let player = try await world.buyer(of: "hardwords")
            let manifest = try await world.manifest(of: "hard-words", as: player)
            #expect(manifest.status == 200 && manifest.json["version"] == "1.0.0")
            let file = manifest.json["files"][0]
            let (link, sha256) = (try #require(file["url"].text), try #require(file["sha256"].text))
            let answer = try await Self.ask("http://127.0.0.1:\(world.port ?? 0)\(link)")
            #expect(answer.status == 303 && answer.headers.first(name: "cache-control") == "no-store")
            let url = try #require(answer.headers.first(name: "location"))
            #expect(url.hasPrefix(bucket.store.endpoint) && url.contains("X-Amz-Expires=300&"))
            let whole = try await Self.ask(url)
            #expect(whole.status == 200 && SHA256.hash(data: whole.body).hex == sha256)
            #expect(whole.headers.first(name: "content-type") == "application/octet-stream")
            let part = try await Self.ask(url, headers: ["range": "bytes=2-5"])
            #expect(part.status == 206 && part.body == whole.body.dropFirst(2).prefix(4))

            let head = try await Self.ask("http://127.0.0.1:\(world.port ?? 0)\(link)", .HEAD)
            #expect(head.status == 303)
            #expect(try await Self.ask(try #require(head.headers.first(name: "location")), .HEAD).status == 200)

            // The link ends before its signature does, which makes a new one.
            try await bucket.store.receive("now \((World.start + 301).timeIntervalSince1970)")
            #expect(try await Self.ask(url).status == 403)
            world.clock.advance(by: 301)
            let next = try await Self.ask("http://127.0.0.1:\(world.port ?? 0)\(link)")
            #expect(try await Self.ask(try #require(next.headers.first(name: "location"))).body == whole.body)
            #expect(try await world.call(.get, link + "x").status == 403)
            world.clock.advance(by: GrantSigner.lifetime)
            #expect(try await world.call(.get, link).status == 403)

            // The record of who got what is as always.
            let delivery = try #require(manifest.json["delivery"].text)
            let admin = try await world.newAdmin()
            let list = try await world.call(.get, "/admin/v1/deliveries?unconfirmed=true", as: admin).json
            #expect(list["deliveries"].array.map { $0["delivery"].text } == [delivery])
        }
    }

    @Test func `An account without a purchase gets nothing from the object store`() async throws {
        try await Self.run { world, _ in
            let player = try await world.newPlayer()
            #expect(try await world.manifest(of: "hard-words", as: player).status == 403)
        }
    }

    @Test func `An administrator can yank a version in a bucket and cannot upload`() async throws {
        try await Self.run { world, _ in
            let (admin, player) = (try await world.newAdmin(), try await world.buyer(of: "hardwords"))
            let path = "/admin/v1/bundles/hard-words/versions"
            #expect(try await world.call(.get, path, as: admin).json["versions"][0]["state"] == "published")
            #expect(try await world.call(.post, path + "/1.0.0/yank", as: admin).status == 200)
            #expect(try await world.manifest(of: "hard-words", as: player).status == 404)
            #expect(try await world.call(.post, path + "/1.0.0/restore", as: admin).status == 200)
            let manifest = try await world.manifest(of: "hard-words", as: player).json
            #expect(manifest["version"] == "1.0.0")
            let sha256 = try #require(manifest["files"][0]["sha256"].text)
            for answer in [
                try await world.call(.post, path, ["version": "1.1.0", "files": []], as: admin),
                try await world.call(.put, "/admin/v1/content/\(sha256)", as: admin),
                try await world.call(.patch, "/admin/v1/content/\(sha256)", as: admin, headers: [.uploadOffset: "0"]),
            ] { #expect(answer.status == 501 && answer.json["code"] == "uploads_not_supported") }
        }
    }

    /// Two servers on one bucket; neither knows of the other.
    @Test func `Every server sees what one changes in the bucket`() async throws {
        try await Self.run { first, bucket in
            try await World.run(environment: bucket.environment) { second in
                let (admin, player) = (try await first.newAdmin(), try await second.buyer(of: "hardwords"))
                #expect(try await second.manifest(of: "hard-words", as: player).status == 200)
                let watcher = try #require(second.assembly.services.compactMap { $0 as? CatalogWatcher }.first)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await watcher.run() }
                    for (act, status) in [("yank", 404), ("restore", 200)] {
                        let path = "/admin/v1/bundles/hard-words/versions/1.0.0/\(act)"
                        #expect(try await first.call(.post, path, as: admin).status == 200)
                        try await second.awaitManifest(of: "hard-words", as: player, status: status)
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `The command line publishes to a bucket`() async throws {
        let bucket = try await BucketWorld(at: Date())
        let shop = try PublishingServices()
        func run(_ arguments: String...) async throws -> Program.Outcome {
            try await shop.run(command: ["bundles"] + arguments, environment: bucket.environment)
        }
        let source = try shop.source(["one.txt": "one", "two.txt": "two"])
        let published = try await run("publish", source, "--bundle", "hard-words", "--version", "1.0.0")
        #expect(published.status == 0 && published.output.contains("hard-words 1.0.0: published, 2 files, 6 bytes"))
        #expect(try await run("publish", source, "--bundle", "hard-words", "--version", "1.1.0").status == 0)
        let lower = try await run("publish", source, "--bundle", "hard-words", "--version", "1.0.1")
        #expect(lower.status == 1 && lower.error.contains("1.1.0 already exists"))
        #expect(try await run("yank", "hard-words", "1.1.0").output.contains("yanked"))
        #expect(try await run("list").output.split(separator: "\n").count == 2)
        let verified = try await run("verify")
        #expect(
            verified.status == 0 && verified.output.contains("1 bundle, 2 versions, 4 files, 12 bytes, 0 problems"))
        #expect(try await run("collect", "--grace", "0").output == "0 files and 0 leftovers, 0 bytes removed\n")
        let content = try await bucket.place { Date() }.open(at: Date(), clock: { Date() })
        #expect(try await content.manifest(of: "hard-words", version: nil)?.version.description == "1.0.0")
        #expect(try await shop.ledger().auditRows(after: 0, limit: 10).count == 3)
        #expect(!FileManager.default.fileExists(atPath: shop.content.appending(path: ".store").path))
    }

    private static func ask(
        _ url: String, _ method: HTTPMethod = .GET, headers: HTTPHeaders = [:]
    ) async throws -> (status: Int, headers: HTTPHeaders, body: Data) {
        var request = HTTPClientRequest(url: url)
        (request.method, request.headers) = (method, headers)
        let response = try await client.execute(request, timeout: .seconds(180))
        let body = Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        let status = Int(response.status.code)
        // Other paths are the store's.
        if url.contains("/v1/content/") {
            try ExchangeRecorder.record(method, url, headers, status: status, answer: (response.headers, body))
        }
        return (status, response.headers, body)
    }

    /// Follows no redirection; open as long as the tests run.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

extension World {
    /// Waits until the server answers like this; a bucket is looked at every few seconds.
    fileprivate func awaitManifest(of bundle: BundleName, as player: Player, status: Int) async throws {
        try await poll("\(bundle) has the status \(status)") {
            try await manifest(of: bundle.text, as: player).status == status
        }
    }
}
