import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import ObjectStore

/// Against an S3 server that checks what real ones check.
@Suite(.enabled(if: ObjectStoreServer.isInstalled, "scripts/object-store/tools.sh installs it"))
struct ObjectClientTests {
    private static let text = Data("Two rings\n".utf8)

    @Test(arguments: ["a", "a/b c+d%/ü*'()!~?&=#.json", "Straße/\u{65E5}\u{672C}"])
    func `An object that was put can be read, listed and deleted`(_ key: String) async throws {
        let client = try await TestBucket.client()
        #expect(try await client.get(key, upTo: 100)?.bytes == nil)
        #expect(try await client.size(of: key) == nil)
        try await client.put(.bytes(Self.text), at: key, .absent, headers: [("content-type", "text/plain")])
        let object = try #require(try await client.get(key, upTo: 100))
        #expect(object.bytes == Self.text && object.etag.hasPrefix("\""))
        #expect(try await client.size(of: key) == Self.text.count)
        let listed = try await client.list("", upTo: 10)
        #expect(listed.map(\.key) == [key] && listed.first?.size == Self.text.count)
        #expect(listed.first?.etag == object.etag)
        let modified = try #require(listed.first?.modified)
        #expect(abs(modified.timeIntervalSinceNow) < 600)
        for _ in 1...2 { try await client.delete(key) }
        #expect(try await client.get(key, upTo: 100)?.bytes == nil)
    }

    @Test func `A write under a condition fails where the condition does not hold`() async throws {
        let client = try await TestBucket.client()
        let missing = ObjectCondition.unchanged(etag: "\"x\"")
        await #expect(throws: ObjectStoreError.preconditionFailed) {
            try await client.put(.bytes(Self.text), at: "a", missing)
        }
        try await client.put(.bytes(Self.text), at: "a", .absent)
        await #expect(throws: ObjectStoreError.preconditionFailed) {
            try await client.put(.bytes(Data()), at: "a", .absent)
        }
        let first = try #require(try await client.get("a", upTo: 100))
        try await client.put(.bytes(Data("b".utf8)), at: "a", .unchanged(etag: first.etag))
        await #expect(throws: ObjectStoreError.preconditionFailed) {
            try await client.put(.bytes(Self.text), at: "a", .unchanged(etag: first.etag))
        }
        try await client.put(.bytes(Data("c".utf8)), at: "a", .always)
        #expect(try await client.get("a", upTo: 100)?.bytes == Data("c".utf8))
    }

    @Test func `A listing of several pages has every key once, up to its limit`() async throws {
        let client = try await TestBucket.client()
        let keys = (0..<7).map { "x/\($0)" }
        for key in keys + ["y/0"] { try await client.put(.bytes(Self.text), at: key, .always) }
        for pageKeys in [1, 2, 7, 100] {
            #expect(try await client.list("x/", upTo: 7, pageKeys: pageKeys).map(\.key) == keys)
        }
        #expect(try await client.list("z", upTo: 1).isEmpty)
        await #expect(throws: ObjectStoreError.tooLarge(limit: 6)) { try await client.list("x/", upTo: 6) }
    }

    @Test func `An object larger than the limit is not read`() async throws {
        let client = try await TestBucket.client()
        try await client.put(.bytes(Self.text), at: "a", .always)
        await #expect(throws: ObjectStoreError.tooLarge(limit: 9)) { try await client.get("a", upTo: 9) }
        #expect(try await client.get("a", upTo: 10)?.bytes == Self.text)
        let hash = try await client.read("a", size: 10, into: SHA256()) { $0.update(data: $1) }
        #expect(hash?.finalize() == SHA256.hash(data: Self.text))
    }

    @Test(arguments: [0, 1, FileBody.chunkBytes, 3 * FileBody.chunkBytes + 5])
    func `A file is sent in chunks, whatever its size`(_ size: Int) async throws {
        let client = try await TestBucket.client()
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let sha256 = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        try await client.put(.file(file.path, size: size, sha256: sha256), at: "a", .absent)
        #expect(try await client.get("a", upTo: size)?.bytes == bytes)

        // A file other than the one that was hashed is not put.
        for (wrongSize, wrongHash) in [(size, String(repeating: "0", count: 64)), (size + 1, sha256)] {
            await #expect(throws: ObjectStoreError.self) {
                try await client.put(.file(file.path, size: wrongSize, sha256: wrongHash), at: "b", .absent)
            }
        }
        #expect(try await client.get("b", upTo: size)?.bytes == nil)
    }

    @Test func `A signed link is good for one method and until it expires`() async throws {
        let client = try await TestBucket.client()
        try await client.put(.bytes(Self.text), at: "a b", .always)
        let link = client.link(to: "a b", method: "GET", lifetime: 600, at: Date())
        let head = client.link(to: "a b", method: "HEAD", lifetime: 600, at: Date())
        let whole = try await Self.ask(link)
        #expect(whole.status == 200 && whole.body == Self.text)
        let part = try await Self.ask(link, headers: ["range": "bytes=4-8"])
        #expect(part.status == 206 && part.body == Data("rings".utf8))
        #expect(try await Self.ask(head, .HEAD).status == 200)
        #expect(try await Self.ask(link, .HEAD).status == 403)
        #expect(try await Self.ask(link.replacing("a%20b", with: "a%20c")).status == 403)
        #expect(try await Self.ask(link.replacing("Expires=600", with: "Expires=601")).status == 403)
        let ended = client.link(to: "a b", method: "GET", lifetime: 60, at: Date() - 65)
        #expect(try await Self.ask(ended).status == 403)
    }

    @Test func `A wrong secret or a wrong clock is refused, and the error shows no secret`() async throws {
        let wrong = try await TestBucket.client(secret: "wrong-secret")
        let late = try await TestBucket.client { Date() - 3_600 }
        for client in [wrong, late] {
            let error = await #expect(throws: ObjectStoreError.self) { try await client.get("a", upTo: 10) }
            guard case .refused(status: 403, code: _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func `A failed request is repeated a limited number of times`() async throws {
        let server = try await ObjectStoreServer()
        let client = try await TestBucket.client(in: server)
        try await server.receive("fail \(ObjectClient.attempts - 1)")
        try await client.put(.bytes(Self.text), at: "a", .absent)
        try await server.receive("fail \(ObjectClient.attempts)")
        await #expect(throws: ObjectStoreError.unavailable("503")) { try await client.get("a", upTo: 10) }
        #expect(try await client.get("a", upTo: 10)?.bytes == Self.text)
    }

    @Test func `A bucket where nobody listens is unavailable`() async throws {
        let bucket = try Bucket("s3://words", endpoint: "http://127.0.0.1:1", region: "x")
        let client = ObjectClient(bucket, ObjectCredentials(accessKeyID: "a", secretAccessKey: "b")) { Date() }
        let error = await #expect(throws: ObjectStoreError.self) { try await client.get("a", upTo: 10) }
        guard case .unavailable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    private static func ask(
        _ url: String, _ method: HTTPMethod = .GET, headers: HTTPHeaders = [:]
    ) async throws -> (status: Int, body: Data) {
        var request = HTTPClientRequest(url: url)
        (request.method, request.headers) = (method, headers)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(180))
        let body = try await response.body.collect(upTo: 1 << 20)
        return (Int(response.status.code), Data(body.readableBytesView))
    }
}
