import Basics
import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOHTTP1
import ServerTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import CommandLine
@testable import Content
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Updates that cost what changed, over HTTP.
@Suite struct EncodedContentTests {
    /// A shop with two versions of a bundle, of which the newer one is prepared.
    private static func run(_ test: @escaping @Sendable (DownloadServer, [ContentVariant]) async throws -> Void)
        async throws
    {
        try await DownloadServer.run { shop in
            let newer = shop.folder.appending(path: "downloads/1.1.0")
            try FileManager.default.createDirectory(at: newer, withIntermediateDirectories: true)
            let text = DownloadServer.bytes(300_000) + Data("one more line\n".utf8)
            try text.write(to: newer.appending(path: "large.txt"))
            let content = try #require(shop.routes.services.content as? FolderRepository)
            _ = await content.refresh(at: .distantFuture)
            let version = try #require(SemanticVersion("1.1.0"))
            #expect(try await content.prepare(version, of: "downloads") == .init(made: 4))
            _ = await content.refresh(at: .distantFuture)
            let variants = content.variants(of: try shop.sha256("large.txt"))
            #expect(variants.map(\.encoding) == [.zstd, .gzip, .patch, .dcz])
            try await test(shop, variants)
        }
    }

    private static func dictionary(_ shop: DownloadServer, _ variants: [ContentVariant]) throws -> String {
        let from = try #require(variants.last?.from)
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(from.dropFirst($0).prefix(2), radix: 16) }
        return ":\(Data(bytes).base64EncodedString()):"
    }

    @Test func `Each client gets the variant that it accepts`() async throws {
        try await Self.run { shop, variants in
            let (link, sha256) = (try shop.link("large.txt"), try shop.sha256("large.txt"))
            let table: [(String?, ContentVariant.Encoding?)] = [
                (nil, nil), ("gzip, deflate, br", .gzip), ("gzip, zstd", .zstd), ("gzip, zstd, dcz", .dcz),
                ("identity", nil), ("br", nil),
            ]
            for (encodings, expected) in table {
                var headers: HTTPFields = [.availableDictionary: try Self.dictionary(shop, variants)]
                headers[.acceptEncoding] = encodings
                let answer = try await shop.world.call(.get, link, headers: headers)
                let variant = variants.first { $0.encoding == expected }
                let choice = variant.map(ContentNegotiation.Choice.variant) ?? .identity
                #expect(answer.status == 200 && answer.headers[.contentEncoding] == expected?.rawValue)
                #expect(answer.headers[.eTag] == "\"\(choice.entityTag(of: sha256))\"")
                #expect(answer.headers[.vary] == "accept-encoding, available-dictionary")
                #expect(Self.sha256(answer.bytes) == variant?.sha256 ?? sha256)
                let digest = Data(SHA256.hash(data: answer.bytes)).base64EncodedString()
                #expect(answer.headers[.reprDigest] == "sha-256=:\(digest):")
            }
            let refused = try await shop.world.call(.get, link, headers: [.acceptEncoding: "br, identity;q=0"])
            #expect(refused.status == 406)
        }
    }

    @Test func `The fast path chooses the same variant as the routes`() async throws {
        try await Self.run { shop, variants in
            let (link, sha256) = (try shop.link("large.txt"), try shop.sha256("large.txt"))
            let dictionary = "Available-Dictionary: " + (try Self.dictionary(shop, variants))
            let tags = ([.identity] + variants.map(ContentNegotiation.Choice.variant)).map { $0.entityTag(of: sha256) }
            let encodings = [
                [], ["Accept-Encoding: gzip"], ["Accept-Encoding: gzip, deflate, br"], ["Accept-Encoding: zstd, gzip"],
                ["Accept-Encoding: zstd, dcz", dictionary], ["Accept-Encoding: dcz"], ["Accept-Encoding: identity;q=0"],
                ["Accept-Encoding: gzip;q=0.1", "Accept-Encoding: zstd;q=0.2"], ["Accept-Encoding: \u{FC}, gzip"],
                ["Accept-Encoding: identity;q=0, gzip"], ["Accept-Encoding: *", "Available-Dictionary: ::"],
            ]
            let conditions =
                [[], ["Range: bytes=0-9"], ["Range: bytes=200000-"]]
                + tags.flatMap { [["If-None-Match: \"\($0)\""], ["Range: bytes=5-9", "If-Range: \"\($0)\""]] }
            // The first time, each form is made ready.
            for _ in 0..<2 {
                for headers in encodings.flatMap({ encoding in conditions.map { encoding + $0 } }) {
                    for method in ["GET", "HEAD"] {
                        let request = RawConnection.request(method, link, headers, tag: sha256)
                        let (fast, plain) = try await shop.both(request)
                        if fast != plain {
                            Issue.record("\(request)\nFAST \(fast.prefix(900))\nPLAIN \(plain.prefix(900))")
                        }
                    }
                }
            }
            let head = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: link, headers: ["Accept-Encoding": "gzip, deflate, br"])
            let answer = shop.routes.fastResponder(World.quiet).answer(try #require(FastRequest(head)))
            #expect(answer?.bodyBytes == variants.first { $0.encoding == .gzip }?.size)
            if case .file(let region, _) = answer?.body { region.close() }
        }
    }

    /// From the purchase to the newer version, as a client that knows patches.
    @Test func `The manifest offers patches`() async throws {
        try await DownloadServer.run(environment: World.pagesOn) { shop in
            let older = shop.folder.appending(path: "hard-words/1.0.0/words.txt")
            let newer = try Data(contentsOf: older) + Data("zwieback\tBread that was baked twice\n".utf8)
            let folder = shop.folder.appending(path: "hard-words/1.1.0")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try newer.write(to: folder.appending(path: "words.txt"))
            let content = try #require(shop.routes.services.content as? FolderRepository)
            _ = await content.refresh(at: .distantFuture)
            _ = try await content.prepare(try #require(SemanticVersion("1.1.0")), of: "hard-words")
            _ = await content.refresh(at: .distantFuture)

            let player = try await shop.world.newPlayer()
            let bought = try await shop.world.buy("hardwords", "non-consumable")
            #expect(try await shop.world.post(bought.signedTransaction, as: player).status == 200)
            let file = try await shop.world.call(.get, "/v1/bundles/hard-words", as: player).json["files"].array.first
            let offer = try #require(file?["patches"].array.first)
            #expect(file?["encodings"].array.compactMap { $0["encoding"].text } == ["zstd", "gzip", "dcz"])
            let from = Self.sha256(try Data(contentsOf: older))
            #expect(offer["encoding"].text == "zstd-patch" && offer["from"].text == from)
            let patch = try await shop.world.call(.get, try #require(offer["url"].text))
            #expect(patch.status == 200 && Self.sha256(patch.bytes) == offer["sha256"].text)
            #expect(patch.headers[.contentEncoding] == nil && patch.bytes.count < 200)
            #expect(try Self.apply(patch.bytes, to: older) == newer)
            let admin = try await shop.world.visitor(.read)
            let made = content.variants(of: Self.sha256(newer)).first { $0.encoding == .patch }
            let size = try #require(made).size.sizeText
            let page = try await admin.get("/admin/bundles/hard-words/1.1.0").html
            #expect(page.contains("1 patch, 2 compressed files") && page.contains("all patches together: \(size)"))
            #expect(try await admin.get("/admin/bundles/hard-words/1.0.0").html.contains("0 patches, "))
            // The oldest one has no earlier version.
            let first = try await shop.world.call(.get, "/v1/bundles/hard-words?version=1.0.0", as: player).json
            #expect(first["files"].array.allSatisfy { $0["patches"] == .null })
        }
    }

    private static func apply(_ patch: Data, to older: URL) throws -> Data {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: path) }
        try patch.write(to: path)
        let (base, file) = (
            try PatchBase(FilePath(older.path), limit: .max), try FileDescriptor.open(FilePath(path.path), .readOnly)
        )
        var newer = Data()
        try file.closeAfter {
            _ = try CodingRun(file, through: ZstdDecoder(base: base), checkpoint: { _ in }) { newer += Data($0) }
        }
        return newer
    }

    private static func sha256(_ bytes: Data) -> String { SHA256.hash(data: bytes).hex }
}

extension HTTPField.Name {
    fileprivate static let availableDictionary = Self("Available-Dictionary")!
    fileprivate static let reprDigest = Self("Repr-Digest")!
}
