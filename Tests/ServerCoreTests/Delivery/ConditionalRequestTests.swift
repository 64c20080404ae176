import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import SystemPackage
import Testing

@testable import CommandLine
@testable import Content
@testable import ServerHTTP

/// Entity tags and content codings of product lists, entitlements, manifests and the description.
@Suite struct ConditionalRequestTests {
    private static let codings: [(accept: String, coding: String?)] = [
        ("identity", nil), ("gzip, deflate, br", "gzip"), ("gzip, zstd", "zstd"), ("zstd;q=0.1, gzip;q=0.5", "gzip"),
        ("br", nil), ("*;q=0", nil),
    ]

    /// Another time is no news; another purchase is.
    @Test func `Entitlements have an entity tag of their content`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let path = "/v1/entitlements"
            let first = try await world.call(.get, path, as: player)
            let tag = try #require(first.headers[.eTag])
            world.clock.advance(by: 90)
            let second = try await world.call(.get, path, as: player)
            #expect(second.headers[.eTag] == tag && second.json["at"] != first.json["at"])
            #expect(second.headers[.quartermasterAt] == nil && second.headers[.cacheControl] == "no-store")
            world.clock.advance(by: 0.6)
            let unchanged = try await world.call(.get, path, as: player, headers: [.ifNoneMatch: tag])
            #expect(unchanged.status == 304 && unchanged.bytes.isEmpty && unchanged.headers[.eTag] == tag)
            #expect(unchanged.headers[.quartermasterAt] == second.json["at"].text, "whole seconds, rounded down")
            let other = try await world.call(.get, path, as: player, headers: [.ifMatch: "\"other\""])
            #expect(other.status == 412 && other.bytes.isEmpty && other.headers[.eTag] == tag)

            let hints = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(hints.signedTransaction, as: player).status == 200)
            let changed = try await world.call(.get, path, as: player, headers: [.ifNoneMatch: tag])
            #expect(changed.status == 200 && changed.headers[.eTag] != tag)
            #expect(changed.json["balances"]["hints"] == 10)
        }
    }

    @Test func `Accounts never share an entity tag`() async throws {
        try await World.run { world in
            let (one, other) = (try await world.buyer(of: "hardwords"), try await world.buyer(of: "hardwords"))
            for path in ["/v1/entitlements", "/v1/bundles/hard-words"] {
                let tag = try #require(try await world.call(.get, path, as: one).headers[.eTag])
                let answer = try await world.call(.get, path, as: other, headers: [.ifNoneMatch: tag])
                #expect(answer.status == 200 && answer.headers[.eTag] != tag, "\(path)")
            }
        }
    }

    /// The 304 has a new statement that the version is the newest, and records no delivery.
    @Test func `Manifests have an entity tag of their content`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let path = "/v1/bundles/hard-words"
            let first = try await world.call(.get, path, as: player)
            let tag = try #require(first.headers[.eTag])
            let admin = try await world.newAdmin()
            func issued() async throws -> JSONValue {
                try await world.call(.get, "/admin/v1/deliveries", as: admin).json["deliveries"][0]["lastHandedOut"]
            }
            let before = try await issued()
            // Within an hour the same delivery is recorded once.
            world.clock.advance(by: 3_660)
            let unchanged = try await world.call(.get, path, as: player, headers: [.ifNoneMatch: tag])
            #expect(unchanged.status == 304 && unchanged.bytes.isEmpty && unchanged.headers[.eTag] == tag)
            #expect(unchanged.headers[.quartermasterAt] == world.clock.now.rfc3339)
            let keys = try await world.call(.get, "/v1/keys").json
            let fresh = try #require(SignedMessage(unchanged.headers[.quartermasterFresh], keys: keys))
            #expect(fresh.members["at"].text == world.clock.now.rfc3339 && fresh.members["bundle"] == "hard-words")
            #expect(try await issued() == before, "no delivery is recorded")

            let whole = try await world.call(.get, path, as: player)
            #expect(whole.headers[.eTag] == tag)
            #expect(whole.json["files"][0]["url"] != first.json["files"][0]["url"], "links are not part of it")
            #expect(try await issued() != before && before != .null)
            let named = try await world.call(
                .get, path + "?version=1.0.0", as: player, headers: [.ifNoneMatch: tag])
            #expect(named.status == 304 && named.headers[.quartermasterFresh] == nil, "nobody asked for the newest")
            let other = try await world.call(.get, path, as: player, headers: [.ifMatch: "\"other\""])
            #expect(other.status == 412 && other.bytes.isEmpty)
            let stranger = try await world.newPlayer()
            let refused = try await world.call(.get, path, as: stranger, headers: [.ifNoneMatch: tag])
            #expect(refused.status == 403, "a tag opens nothing")
        }
    }

    /// Each coding has a tag of its own, and each tag is known in every coding.
    @Test func `Long texts are compressed, each coding with a tag of its own`() async throws {
        try await DownloadServer.run(products: Self.manyProducts) { shop in
            let player = try await shop.world.newPlayer()
            for number in 0..<10 {
                let bought = try await shop.world.buy("p\(number)", "non-consumable")
                #expect(try await shop.world.post(bought.signedTransaction, as: player).status == 200)
            }
            for path in [
                "/v1/apps/\(World.app)/products", "/v1/apps/\(World.app)/products?platform=iOS", "/v1/entitlements",
                "/openapi.yaml",
            ] {
                try await Self.compare(path, as: player, in: shop.world)
            }
            try await Self.compareWithRoutes(shop)
        }
    }

    private static func compare(_ path: String, as player: Player, in world: World) async throws {
        let plain = try await world.call(.get, path, as: player)
        #expect(plain.bytes.count > 1_024 && plain.headers[.contentEncoding] == nil && plain.status == 200)
        var tags: [String?: String] = [:]
        for (accept, coding) in codings {
            let answer = try await world.call(.get, path, as: player, headers: [.acceptEncoding: accept])
            #expect(answer.headers[.contentEncoding] == coding && answer.headers[.vary] == "accept-encoding", "\(path)")
            #expect(try decoded(answer) == plain.bytes, "\(path) \(accept)")
            #expect(coding == nil || answer.bytes.count < plain.bytes.count / 2, "\(path) \(accept)")
            let tag = try #require(answer.headers[.eTag])
            #expect(tags[coding] ?? tag == tag)
            tags[coding] = tag
        }
        #expect(Set(tags.values).count == 3, "\(path): \(tags)")
        for (accept, coding) in codings {
            for (known, tag) in conditions(Array(tags.values), preferring: tags[coding]) {
                let headers: HTTPFields = [.acceptEncoding: accept, .ifNoneMatch: known]
                let answer = try await world.call(.get, path, as: player, headers: headers)
                #expect(answer.status == 304 && answer.headers[.eTag] == tag, "\(path) \(accept) \(known)")
                #expect(answer.headers[.contentEncoding] == nil && answer.headers[.vary] == "accept-encoding")
            }
        }
    }

    /// Values of `If-None-Match`, and the tag that a 304 names: a cache refreshes what it has under that one.
    private static func conditions(_ tags: [String], preferring tag: String?) -> [(known: String, tag: String?)] {
        tags.flatMap { [($0, $0), ("W/\($0)", $0), ("\"x\", \($0)", $0)] }
            + [("*", tag), (tags.joined(separator: ", "), tag), (tags.reversed().joined(separator: ","), tag)]
    }

    /// The fast path answers as the routes do.
    private static func compareWithRoutes(_ shop: DownloadServer) async throws {
        let path = "/v1/apps/\(World.app)/products"
        var tags: [String] = []
        for accept in ["identity", "gzip", "zstd"] {
            let answer = try await shop.world.call(.get, path, headers: [.acceptEncoding: accept])
            tags.append(try #require(answer.headers[.eTag]))
        }
        let lines = [""] + conditions(tags, preferring: nil).map { "If-None-Match: \($0.known)\r\n" }
        for (accept, _) in codings {
            let requests = lines.flatMap { line in
                ["GET", "HEAD"].map { "\($0) \(path) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(accept)\r\n\(line)\r\n" }
            }
            for text in requests {
                let answers = try await shop.both(text)
                #expect(answers.fast == answers.plain, "\(text)")
            }
        }
    }

    /// Answers with links or tokens are not compressed, and neither are short ones.
    @Test func `Short answers, and those with links, are not compressed`() async throws {
        try await World.run(products: SampleCatalog.text(SampleCatalog.words)) { world in
            let player = try await world.buyer(of: "hardwords")
            for path in ["/v1/bundles/hard-words", "/v1/apps/\(World.app)/products", "/v1/keys"] {
                let answer = try await world.call(.get, path, as: player, headers: [.acceptEncoding: "gzip, zstd"])
                #expect(answer.status == 200 && answer.headers[.contentEncoding] == nil, "\(path)")
                #expect(path.contains("bundles") || answer.bytes.count <= 1_024, "\(path)")
            }
        }
    }

    private static let manyProducts: String = {
        let products = (0..<10).map { number in
            #"{"id": "\#(World.app).p\#(number)", "type": "non-consumable", "bundles": ["hard-words"]}"#
        }
        return #"{"apps": [{"bundleID": "\#(World.app)", "products": [\#(products.joined(separator: ","))]}]}"#
    }()

    private static func decoded(_ answer: Answer) throws -> Data {
        let path = FilePath(FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)").path)
        try answer.bytes.write(to: URL(filePath: path.string))
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            var bytes = Data()
            switch answer.headers[.contentEncoding] {
            case "gzip": _ = try CodingRun(file, through: GzipDecoder(), checkpoint: { _ in }) { bytes += Data($0) }
            case "zstd": _ = try CodingRun(file, through: ZstdDecoder(), checkpoint: { _ in }) { bytes += Data($0) }
            default: bytes = answer.bytes
            }
            return bytes
        }
    }
}
