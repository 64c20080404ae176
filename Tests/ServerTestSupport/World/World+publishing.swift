import Crypto
package import Foundation
package import HTTPTypes
package import InAppPurchase
import Ledger
import NIOCore
import ServerCore
import ServerHTTP
import Testing

extension World {
    package static let versionsPath = "/admin/v1/bundles/hard-words/versions"
    package static let versionFiles = ["words.txt": "jazz\tMusic of New Orleans\n", "empty": "", "a/copy.txt": "copy"]

    package static func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    package static func versionManifest(
        _ version: String, _ files: [String: String] = versionFiles, _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        let list = files.sorted { $0.key < $1.key }.map { path, text -> JSONValue in
            ["path": .string(path), "size": .integer(text.utf8.count), "sha256": .string(sha256(text))]
        }
        return .object(["version": .string(version), "files": .array(list)].merging(more) { $1 })
    }

    /// A server with a content folder of its own.
    package static func runPublishing(
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

    /// Sends the bytes of a text from an offset on; all the rest of it, or a part.
    package func upload(
        _ text: String, at offset: Int, count: Int? = nil, as admin: Player, hash: String? = nil,
        method: HTTPRequest.Method = .patch
    ) async throws -> Answer {
        let bytes = Array(text.utf8).dropFirst(offset)
        return try await send(
            method, "/admin/v1/content/\(hash ?? World.sha256(text))",
            ByteBuffer(bytes: bytes.prefix(count ?? bytes.count)), as: admin,
            headers: method == .patch ? [.uploadOffset: "\(offset)"] : [:])
    }

    /// Drafts, uploads and publishes.
    package func publish(_ version: String, _ files: [String: String], as admin: Player) async throws {
        let manifest = World.versionManifest(version, files)
        _ = try await call(.post, World.versionsPath, manifest, as: admin)
        for text in files.values { _ = try await upload(text, at: 0, as: admin) }
        let answer = try await call(.post, World.versionsPath + "/\(version)/publish", as: admin)
        #expect(answer.status == 200, "\(answer)")
    }

    package func newest(for player: Player) async throws -> String? {
        try await call(.get, "/v1/bundles/hard-words", as: player).json["version"].text
    }

    /// The texts of a version's files, by their paths.
    package func download(_ query: String = "", for player: Player) async throws -> [String: String] {
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
