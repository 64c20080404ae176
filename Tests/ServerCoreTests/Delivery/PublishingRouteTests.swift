import Content
import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Versions published and yanked by administrators while players download.
@Suite struct PublishingRouteTests {
    @Test func `A version is uploaded, published and downloaded`() async throws {
        try await World.runPublishing { world, admin, player in
            let manifest = World.versionManifest(
                "1.1.0", World.versionFiles,
                [
                    "minimumAppVersion": "2.1", "locale": "en", "essential": true, "languages": ["en", "pt-BR"],
                    "note": "unknown members pass",
                ])
            let draft = try await world.call(.post, World.versionsPath, manifest, as: admin)
            #expect(draft.status == 201 && draft.json["state"] == "draft" && draft.json["version"] == "1.1.0")
            #expect(draft.json["essential"] == true && draft.json["languages"] == ["en", "pt-BR"])
            #expect(
                Set(draft.json["missing"].array.compactMap(\.text)) == Set(World.versionFiles.values.map(World.sha256)))
            let again = try await world.call(.post, World.versionsPath, manifest, as: admin)
            #expect(again.status == 200 && again.json == draft.json)
            // Not offered, not readable.
            #expect(try await world.newest(for: player) == "1.0.0")
            #expect(try await world.call(.get, "/v1/bundles/hard-words?version=1.1.0", as: player).status == 404)

            let early = try await world.call(.post, World.versionsPath + "/1.1.0/publish", as: admin)
            #expect(early.status == 409 && early.json["code"] == "content_missing", "\(early)")
            #expect(early.json["missing"] == draft.json["missing"])
            #expect(early.headers[.contentType] == "application/problem+json")
            for text in World.versionFiles.values {
                let sent = try await world.upload(text, at: 0, as: admin)
                #expect(sent.status == 204 && sent.headers[.uploadComplete] == "?1", "\(sent)")
            }
            let published = try await world.call(.post, World.versionsPath + "/1.1.0/publish", as: admin)
            #expect(published.status == 200 && published.json["state"] == "published", "\(published)")
            #expect(published.json["publishedAt"] == .string(world.clock.now.rfc3339))
            #expect(
                try await world.call(.post, World.versionsPath + "/1.1.0/publish", as: admin).json == published.json)
            #expect(try await world.download(for: player) == World.versionFiles)
            let listed = try await world.call(.get, "/v1/bundles", as: player).json["bundles"][0]
            #expect(listed["essential"] == true && listed["languages"] == ["en", "pt-BR"], "\(listed)")
            let versions = try await world.call(.get, World.versionsPath, as: admin).json["versions"]
            #expect(versions[0]["essential"] == .null && versions[0]["languages"] == .null)
            #expect(versions[1]["essential"] == true && versions[1]["languages"] == ["en", "pt-BR"])
            #expect(try await world.call(.post, World.versionsPath, manifest, as: admin).json["state"] == "published")
        }
    }

    /// Known by their names before they are uploaded, and by what they are once they have arrived.
    @Test func `Programs and scripts in a version are told`() async throws {
        try await World.runPublishing { world, admin, _ in
            let files = ["words.txt": "jazz", "tool": "\u{7F}ELF\u{2}", "a/hook.py": "print(1)"]
            let manifest = World.versionManifest("1.1.0", files)
            let draft = try await world.call(.post, World.versionsPath, manifest, as: admin)
            #expect(draft.status == 201 && draft.json["programs"] == ["a/hook.py"], "\(draft)")
            for text in files.values { _ = try await world.upload(text, at: 0, as: admin) }
            for _ in 1...2 {
                let published = try await world.call(.post, World.versionsPath + "/1.1.0/publish", as: admin)
                #expect(published.status == 200 && published.json["programs"] == ["a/hook.py", "tool"], "\(published)")
            }
            try await world.publish("1.2.0", ["words.txt": "jazz"], as: admin)
            let harmless = try await world.call(.post, World.versionsPath + "/1.2.0/publish", as: admin)
            #expect(harmless.status == 200 && harmless.json["programs"] == .null)
        }
    }

    @Test func `Files that the server has are not asked for again`() async throws {
        try await World.runPublishing { world, admin, _ in
            try await world.publish("1.1.0", World.versionFiles, as: admin)
            let files = World.versionFiles.merging(["new.txt": "new"]) { $1 }
            let draft = try await world.call(
                .post, World.versionsPath, World.versionManifest("1.2.0", files), as: admin)
            #expect(draft.json["missing"] == [.string(World.sha256("new"))])
            // The bytes of a published version are there; nothing is taken twice.
            let sent = try await world.upload("copy", at: 0, as: admin)
            #expect(sent.status == 204 && sent.headers[.uploadOffset] == "4")
        }
    }

    @Test func `A yanked version can still be downloaded by those who have it`() async throws {
        try await World.runPublishing { world, admin, player in
            try await world.publish("1.1.0", World.versionFiles, as: admin)
            let yanked = try await world.call(.post, World.versionsPath + "/1.1.0/yank", as: admin)
            #expect(yanked.status == 200 && yanked.json["state"] == "yanked", "\(yanked)")
            #expect(try await world.newest(for: player) == "1.0.0")
            #expect(try await world.download("?version=1.1.0", for: player) == World.versionFiles)
            let refused = try await world.call(.post, World.versionsPath + "/1.1.0/publish", as: admin)
            #expect(refused.status == 409 && refused.json["code"] == "version_state")
            #expect(refused.json["reason"] == "yanked")
            // The same for a version in a folder made by hand.
            #expect(try await world.call(.post, World.versionsPath + "/1.0.0/yank", as: admin).status == 200)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 404)
            let list = try await world.call(.get, World.versionsPath, as: admin).json["versions"].array
            #expect(list.map { $0["version"] } == ["1.0.0", "1.1.0"])
            #expect(list.map { $0["state"] } == ["yanked", "yanked"])
            #expect(list.map { $0["files"] } == [2, 3])
            #expect(try await world.call(.post, World.versionsPath + "/1.1.0/restore", as: admin).status == 200)
            #expect(try await world.download(for: player) == World.versionFiles)
            let rows = try await world.ledger.auditRows(after: 0, limit: 1_000).filter { $0.kind.hasPrefix("bundle.") }
            #expect(
                rows.map(\.kind) == [
                    "bundle.drafted", "bundle.published", "bundle.yanked", "bundle.yanked", "bundle.restored",
                ])
            #expect(rows.allSatisfy { $0.actor == "admin:alice" && $0.date == world.clock.now })
            #expect(rows.first?.subject == "hard-words 1.1.0")
            let bytes = World.versionFiles.values.reduce(0) { $0 + $1.utf8.count }
            #expect(
                rows.first?.json == ["bundle": "hard-words", "version": "1.1.0", "files": 3, "bytes": .integer(bytes)])
        }
    }

    /// A body and what it is refused for.
    static let mistakes: [(body: JSONValue, status: Int, code: String)] = [
        ([:], 400, "invalid_request"), (["version": "1.1.0"], 400, "invalid_request"),
        (["version": "1.1.0", "files": [["path": "a", "size": "1", "sha256": "x"]]], 400, "invalid_request"),
        (["version": "v2", "files": []], 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", [:]), 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", ["../a": "x"]), 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", ["A": "x", "a": "y"]), 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", World.versionFiles, ["minimumAppVersion": "two"]), 422, "invalid_bundle"),
        (
            World.versionManifest("1.1.0", World.versionFiles, ["minimumAppVersion": "2", "maximumAppVersion": "1"]),
            422, "invalid_bundle"
        ),
        (World.versionManifest("1.1.0", World.versionFiles, ["locale": "?"]), 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", World.versionFiles, ["languages": ["en", "?"]]), 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", World.versionFiles, ["languages": ["en", "EN"]]), 422, "invalid_bundle"),
        (World.versionManifest("1.1.0", World.versionFiles, ["languages": "en"]), 400, "invalid_request"),
        (World.versionManifest("1.1.0", World.versionFiles, ["essential": "yes"]), 400, "invalid_request"),
        (World.versionManifest("1.0.0"), 409, "version_exists"),
        (World.versionManifest("0.9.0"), 409, "version_not_newer"),
        (World.versionManifest("0.9.0", World.versionFiles, ["patch": true]), 409, "version_not_newer"),
        (World.versionManifest("1.2.0", ["b": "b"]), 409, "version_exists"),
    ]

    @Test func `Mistakes in uploading and publishing are refused`() async throws {
        try await World.runPublishing { world, admin, player in
            #expect(
                try await world.call(.post, World.versionsPath, World.versionManifest("1.2.0"), as: admin).status == 201
            )
            for (body, status, code) in Self.mistakes {
                let answer = try await world.call(.post, World.versionsPath, body, as: admin)
                #expect(answer.status == status && answer.json["code"].text == code, "\(body): \(answer)")
            }
            let large = ByteBuffer(repeating: UInt8(ascii: " "), count: BodyLimits.manifest.maximumBytes + 1)
            #expect(try await world.send(.post, World.versionsPath, large, as: admin).status == 413)
            for name in ["Hard-Words", ".store", "a%2Fb", "%2E%2E"] {
                let path = "/admin/v1/bundles/\(name)/versions"
                let answer = try await world.call(.post, path, World.versionManifest("1.0.0"), as: admin)
                #expect(answer.status == 422 && answer.json["code"] == "invalid_bundle", "\(name): \(answer)")
            }
            let control = "/admin/v1/bundles/a%00b/versions"
            #expect(try await world.call(.post, control, World.versionManifest("1.0.0"), as: admin).status == 404)
            for path in ["nothing/versions/1.0.0/yank", "hard-words/versions/9.0.0/yank", "hard-words/versions/x/yank"]
            {
                let answer = try await world.call(.post, "/admin/v1/bundles/" + path, as: admin)
                #expect(answer.status == 404 && answer.json["code"] == "unknown_bundle", "\(path): \(answer)")
            }
            #expect(try await world.call(.get, "/admin/v1/bundles/nothing/versions", as: admin).status == 404)
            #expect(try await world.call(.delete, World.versionsPath + "/1.0.0", as: admin).status == 404)
            #expect(try await world.call(.delete, World.versionsPath + "/1.2.0", as: admin).status == 204)
            #expect(try await world.call(.get, World.versionsPath, as: admin).json["versions"].array.count == 1)
            #expect(try await world.newest(for: player) == "1.0.0")
        }
    }
}
