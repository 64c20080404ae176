@testable import ServerCore
import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Testing

@testable import CommandLine

/// Files that come in pieces, from clients that lose their connection or send something else.
@Suite struct UploadTests {
    private static let text = String(repeating: "jazz\tMusic of New Orleans\n", count: 10_000)
    private static var sha256: String { World.sha256(text) }
    private static var path: String { "/admin/v1/content/\(sha256)" }

    /// A server with a draft that waits for the text.
    private static func run(_ test: @escaping @Sendable (World, Player) async throws -> Void) async throws {
        try await World.runPublishing { world, admin, _ in
            let manifest = World.versionManifest("1.1.0", ["words.txt": text])
            #expect(try await world.call(.post, World.versionsPath, manifest, as: admin).status == 201)
            try await test(world, admin)
        }
    }

    @Test func `An upload is resumed`() async throws {
        try await Self.run { world, admin in
            var offset = 0
            for count in [0, 1, 70_000, 100_000] {
                let answer = try await world.upload(Self.text, at: offset, count: count, as: admin)
                offset += count
                #expect(answer.status == 204 && answer.headers[.uploadOffset] == "\(offset)", "\(answer)")
                #expect(answer.headers[.uploadComplete] == "?0")
                let head = try await world.call(.head, Self.path, as: admin)
                #expect(head.status == 204 && head.headers[.uploadOffset] == "\(offset)", "\(head)")
                #expect(head.headers[.uploadComplete] == "?0" && head.headers[.cacheControl] == "no-store")
                #expect(head.headers[.uploadLength] == "\(Self.text.utf8.count)")
            }
            for wrong in [0, offset - 1, offset + 1, Int.max] {
                let answer = try await world.send(
                    .patch, Self.path, ByteBuffer(string: "x"), as: admin, headers: [.uploadOffset: "\(wrong)"])
                #expect(answer.status == 409 && answer.json["code"] == "upload_offset_mismatch", "\(answer)")
                #expect(answer.headers[.uploadOffset] == "\(offset)")
            }
            let last = try await world.upload(Self.text, at: offset, as: admin)
            #expect(last.status == 204 && last.headers[.uploadComplete] == "?1", "\(last)")
            #expect(try await world.call(.head, Self.path, as: admin).headers[.uploadComplete] == "?1")
            let publish = World.versionsPath + "/1.1.0/publish"
            #expect(try await world.call(.post, publish, as: admin).status == 200)
        }
    }

    @Test func `A connection that breaks keeps the bytes that came`() async throws {
        try await Self.run { world, admin in
            let half = Self.text.utf8.count / 2
            let head = """
                PATCH \(Self.path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(admin.token)\r\n\
                Upload-Offset: 0\r\nContent-Length: \(Self.text.utf8.count)\r\n\r\n
                """
            try await RawConnection.open(port: world.port) { _, outbound in
                try await outbound.write(ByteBuffer(string: head + Self.text.prefix(half)))
                try await poll("half of it is there") {
                    try await world.call(.head, Self.path, as: admin).headers[.uploadOffset] == "\(half)"
                }
                let other = try await world.upload(Self.text, at: half, as: admin)
                #expect(other.status == 503 && other.json["code"] == "busy", "\(other)")
            }
            try await poll("the rest is taken") {
                let answer = try await world.upload(Self.text, at: half, as: admin)
                #expect(answer.status == 503 || answer.headers[.uploadComplete] == "?1", "\(answer)")
                return answer.status == 204
            }
        }
    }

    @Test func `Bytes of another file are dropped`() async throws {
        try await Self.run { world, admin in
            let other = String(Self.text.reversed())
            for method in [HTTPRequest.Method.patch, .put] {
                let answer = try await world.upload(other, at: 0, as: admin, hash: Self.sha256, method: method)
                #expect(answer.status == 422 && answer.json["code"] == "content_mismatch", "\(answer)")
                #expect(try await world.call(.head, Self.path, as: admin).headers[.uploadOffset] == "0")
            }
            let long = try await world.upload(Self.text + "x", at: 0, as: admin, hash: Self.sha256)
            #expect(long.status == 413, "\(long)")
            // What fits may be there; PUT begins anew.
            let sent = try await world.upload(Self.text, at: 0, as: admin, method: .put)
            #expect(sent.status == 204 && sent.headers[.uploadComplete] == "?1", "\(sent)")
        }
    }

    @Test func `Malformed uploads are refused`() async throws {
        try await Self.run { world, admin in
            for offset in ["", "x", "-1", "99999999999999999999", "1.0"] {
                let answer = try await world.send(
                    .patch, Self.path, ByteBuffer(string: "x"), as: admin, headers: [.uploadOffset: offset])
                #expect(answer.status == 400 && answer.json["code"] == "invalid_request", "\(offset): \(answer)")
            }
            for hash in ["x", "..%2F..%2Fx", String(repeating: "0", count: 64), Self.sha256.uppercased()] {
                let answer = try await world.upload("x", at: 0, as: admin, hash: hash)
                #expect(answer.status == 404 && answer.json["code"] == "unknown_content", "\(hash): \(answer)")
                #expect(try await world.call(.head, "/admin/v1/content/\(hash)", as: admin).status == 404)
            }
        }
    }

    @Test func `The number of uploads in progress is limited`() async throws {
        // Files on the disk have the machine's time.
        try await World.runPublishing(at: Date()) { world, admin, _ in
            let texts = (0...ContentUploads.maximumPartials).map { "text \($0)" }
            let files = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("\($0)", $1) })
            let manifest = World.versionManifest("1.1.0", files)
            #expect(try await world.call(.post, World.versionsPath, manifest, as: admin).status == 201)
            for text in texts.dropLast() {
                #expect(try await world.upload(text, at: 0, count: 2, as: admin).status == 204)
            }
            let last = try #require(texts.last)
            let refused = try await world.upload(last, at: 0, as: admin)
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "30", "\(refused)")
            #expect(try await world.upload(texts[0], at: 2, as: admin).headers[.uploadComplete] == "?1")
            #expect(try await world.upload(last, at: 0, as: admin).status == 204)
        }
    }
}
