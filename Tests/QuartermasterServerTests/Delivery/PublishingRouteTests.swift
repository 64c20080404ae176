import Content
import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import Testing
import TestSupport

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Versions published and yanked by administrators while players download.
@Suite struct PublishingRouteTests {
    static let versions = "/admin/v1/bundles/hard-words/versions"
    static let files = ["words.txt": "jazz\tMusic of New Orleans\n", "empty": "", "a/copy.txt": "copy"]

    static func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    static func manifest(
        _ version: String, _ files: [String: String] = files, _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        let list = files.sorted { $0.key < $1.key }.map { path, text -> JSONValue in
            ["path": .string(path), "size": .integer(text.utf8.count), "sha256": .string(sha256(text))]
        }
        return .object(["version": .string(version), "files": .array(list)].merging(more) { $1 })
    }

    /// A server with a content folder of its own.
    static func run(
        at date: Date = World.start, _ test: @escaping @Sendable (World, Player, Player) async throws -> Void
    ) async throws {
        let content = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: URL(filePath: Project.folder("content")), to: content)
        defer { try? FileManager.default.removeItem(at: content) }
        try await World.run(environment: ["QUARTERMASTER_CONTENT": content.path], at: date) { world in
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("hardwords", "non-consumable").signedTransaction, as: player)
            try await test(world, try await world.newAdmin(), player)
        }
    }

    @Test func `A version is uploaded, published and downloaded`() async throws {
        try await Self.run { world, admin, player in
            let manifest = Self.manifest(
                "1.1.0", Self.files, ["minimumAppVersion": "2.1", "locale": "en", "note": "unknown members pass"])
            let draft = try await world.call(.post, Self.versions, manifest, as: admin)
            #expect(draft.status == 201 && draft.json["state"] == "draft" && draft.json["version"] == "1.1.0")
            #expect(Set(draft.json["missing"].array.compactMap(\.text)) == Set(Self.files.values.map(Self.sha256)))
            let again = try await world.call(.post, Self.versions, manifest, as: admin)
            #expect(again.status == 200 && again.json == draft.json)
            // Not offered, not readable.
            #expect(try await world.newest(for: player) == "1.0.0")
            #expect(try await world.call(.get, "/v1/bundles/hard-words?version=1.1.0", as: player).status == 404)

            let early = try await world.call(.post, Self.versions + "/1.1.0/publish", as: admin)
            #expect(early.status == 409 && early.json["code"] == "content_missing", "\(early)")
            #expect(early.json["missing"] == draft.json["missing"])
            #expect(early.headers[.contentType] == "application/problem+json")
            for text in Self.files.values {
                let sent = try await world.upload(text, at: 0, as: admin)
                #expect(sent.status == 204 && sent.headers[.uploadComplete] == "?1", "\(sent)")
            }
            let published = try await world.call(.post, Self.versions + "/1.1.0/publish", as: admin)
            #expect(published.status == 200 && published.json["state"] == "published", "\(published)")
            #expect(published.json["publishedAt"] == .string(world.clock.now.rfc3339))
            #expect(try await world.call(.post, Self.versions + "/1.1.0/publish", as: admin).json == published.json)
            #expect(try await world.download(for: player) == Self.files)
            #expect(try await world.call(.post, Self.versions, manifest, as: admin).json["state"] == "published")
        }
    }

    @Test func `Files that the server has are not asked for again`() async throws {
        try await Self.run { world, admin, _ in
            try await world.publish("1.1.0", Self.files, as: admin)
            let files = Self.files.merging(["new.txt": "new"]) { $1 }
            let draft = try await world.call(.post, Self.versions, Self.manifest("1.2.0", files), as: admin)
            #expect(draft.json["missing"] == [.string(Self.sha256("new"))])
            // The bytes of a published version are there; nothing is taken twice.
            let sent = try await world.upload("copy", at: 0, as: admin)
            #expect(sent.status == 204 && sent.headers[.uploadOffset] == "4")
        }
    }

    @Test func `A yanked version can still be downloaded by those who have it`() async throws {
        try await Self.run { world, admin, player in
            try await world.publish("1.1.0", Self.files, as: admin)
            let yanked = try await world.call(.post, Self.versions + "/1.1.0/yank", as: admin)
            #expect(yanked.status == 200 && yanked.json["state"] == "yanked", "\(yanked)")
            #expect(try await world.newest(for: player) == "1.0.0")
            #expect(try await world.download("?version=1.1.0", for: player) == Self.files)
            let refused = try await world.call(.post, Self.versions + "/1.1.0/publish", as: admin)
            #expect(refused.status == 409 && refused.json["code"] == "version_state")
            #expect(refused.json["reason"] == "yanked")
            // The same for a version in a folder made by hand.
            #expect(try await world.call(.post, Self.versions + "/1.0.0/yank", as: admin).status == 200)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 404)
            let list = try await world.call(.get, Self.versions, as: admin).json["versions"].array
            #expect(list.map { $0["version"] } == ["1.0.0", "1.1.0"])
            #expect(list.map { $0["state"] } == ["yanked", "yanked"])
            #expect(list.map { $0["files"] } == [2, 3])
            #expect(try await world.call(.post, Self.versions + "/1.1.0/restore", as: admin).status == 200)
            #expect(try await world.download(for: player) == Self.files)
            let rows = try await world.ledger.auditRows(after: 0, limit: 1_000).filter { $0.kind.hasPrefix("bundle.") }
            #expect(
                rows.map(\.kind) == [
                    "bundle.drafted", "bundle.published", "bundle.yanked", "bundle.yanked", "bundle.restored",
                ])
            #expect(rows.allSatisfy { $0.actor == "admin:alice" && $0.date == world.clock.now })
            #expect(rows.first?.subject == "hard-words 1.1.0")
            let bytes = Self.files.values.reduce(0) { $0 + $1.utf8.count }
            #expect(
                rows.first?.json == ["bundle": "hard-words", "version": "1.1.0", "files": 3, "bytes": .integer(bytes)])
        }
    }

    /// A body and what it is refused for.
    static let mistakes: [(body: JSONValue, status: Int, code: String)] = [
        ([:], 400, "invalid_request"), (["version": "1.1.0"], 400, "invalid_request"),
        (["version": "1.1.0", "files": [["path": "a", "size": "1", "sha256": "x"]]], 400, "invalid_request"),
        (["version": "v2", "files": []], 422, "invalid_bundle"), (manifest("1.1.0", [:]), 422, "invalid_bundle"),
        (manifest("1.1.0", ["../a": "x"]), 422, "invalid_bundle"),
        (manifest("1.1.0", ["A": "x", "a": "y"]), 422, "invalid_bundle"),
        (manifest("1.1.0", files, ["minimumAppVersion": "two"]), 422, "invalid_bundle"),
        (manifest("1.1.0", files, ["minimumAppVersion": "2", "maximumAppVersion": "1"]), 422, "invalid_bundle"),
        (manifest("1.1.0", files, ["locale": "?"]), 422, "invalid_bundle"),
        (manifest("1.0.0"), 409, "version_exists"), (manifest("0.9.0"), 409, "version_not_newer"),
        (manifest("0.9.0", files, ["patch": true]), 409, "version_not_newer"),
        (manifest("1.2.0", ["b": "b"]), 409, "version_exists"),
    ]

    @Test func `Mistakes in uploading and publishing are refused`() async throws {
        try await Self.run { world, admin, player in
            #expect(try await world.call(.post, Self.versions, Self.manifest("1.2.0"), as: admin).status == 201)
            for (body, status, code) in Self.mistakes {
                let answer = try await world.call(.post, Self.versions, body, as: admin)
                #expect(answer.status == status && answer.json["code"].text == code, "\(body): \(answer)")
            }
            let large = ByteBuffer(repeating: UInt8(ascii: " "), count: BodyLimits.manifest.maximumBytes + 1)
            #expect(try await world.send(.post, Self.versions, large, as: admin).status == 413)
            for name in ["Hard-Words", ".store", "a%2Fb", "%2E%2E"] {
                let path = "/admin/v1/bundles/\(name)/versions"
                let answer = try await world.call(.post, path, Self.manifest("1.0.0"), as: admin)
                #expect(answer.status == 422 && answer.json["code"] == "invalid_bundle", "\(name): \(answer)")
            }
            let control = "/admin/v1/bundles/a%00b/versions"
            #expect(try await world.call(.post, control, Self.manifest("1.0.0"), as: admin).status == 404)
            for path in ["nothing/versions/1.0.0/yank", "hard-words/versions/9.0.0/yank", "hard-words/versions/x/yank"]
            {
                let answer = try await world.call(.post, "/admin/v1/bundles/" + path, as: admin)
                #expect(answer.status == 404 && answer.json["code"] == "unknown_bundle", "\(path): \(answer)")
            }
            #expect(try await world.call(.get, "/admin/v1/bundles/nothing/versions", as: admin).status == 404)
            #expect(try await world.call(.delete, Self.versions + "/1.0.0", as: admin).status == 404)
            #expect(try await world.call(.delete, Self.versions + "/1.2.0", as: admin).status == 204)
            #expect(try await world.call(.get, Self.versions, as: admin).json["versions"].array.count == 1)
            #expect(try await world.newest(for: player) == "1.0.0")
        }
    }
}

extension World {
    /// Sends the bytes of a text from an offset on; all the rest of it, or a part.
    func upload(
        _ text: String, at offset: Int, count: Int? = nil, as admin: Player, hash: String? = nil,
        method: HTTPRequest.Method = .patch
    ) async throws -> Answer {
        let bytes = Array(text.utf8).dropFirst(offset)
        return try await send(
            method, "/admin/v1/content/\(hash ?? PublishingRouteTests.sha256(text))",
            ByteBuffer(bytes: bytes.prefix(count ?? bytes.count)), as: admin,
            headers: method == .patch ? [.uploadOffset: "\(offset)"] : [:])
    }

    /// Drafts, uploads and publishes.
    func publish(_ version: String, _ files: [String: String], as admin: Player) async throws {
        let manifest = PublishingRouteTests.manifest(version, files)
        _ = try await call(.post, PublishingRouteTests.versions, manifest, as: admin)
        for text in files.values { _ = try await upload(text, at: 0, as: admin) }
        let answer = try await call(.post, PublishingRouteTests.versions + "/\(version)/publish", as: admin)
        #expect(answer.status == 200, "\(answer)")
    }

    func newest(for player: Player) async throws -> String? {
        try await call(.get, "/v1/bundles/hard-words", as: player).json["version"].text
    }

    /// The texts of a version's files, by their paths.
    func download(_ query: String = "", for player: Player) async throws -> [String: String] {
        let manifest = try await call(.get, "/v1/bundles/hard-words" + query, as: player).json
        var texts: [String: String] = [:]
        for file in manifest["files"].array {
            let answer = try await call(.get, try #require(file["url"].text))
            #expect(answer.status == 200)
            texts[file["path"].text ?? ""] = String(decoding: answer.bytes, as: UTF8.self)
        }
        return texts
    }
}
