import AsyncHTTPClient
import Foundation
import InAppPurchase
import NIOCore
import NIOHTTP1
import ObjectStore
import TestSupport
import Testing

@testable import Content

extension TestStore {
    static func bucket(in server: ObjectStoreServer? = nil) async throws -> ObjectClient {
        var endpoint = server?.endpoint
        if endpoint == nil { endpoint = try await ObjectStoreServer.sharedEndpoint() }
        let bucket = try Bucket(
            "\(ObjectStoreServer.location)/\(UUID().uuidString)", endpoint: endpoint,
            region: ObjectStoreServer.region)
        let credentials = ObjectCredentials(
            accessKeyID: ObjectStoreServer.accessKeyID, secretAccessKey: ObjectStoreServer.secretAccessKey)
        return ObjectClient(bucket, credentials) { Date() }
    }

    /// As a server that starts now finds it.
    func open() async throws -> any ContentRepository {
        try await place.open(at: TemporaryFolder.later, clock: { Date() })
    }

    func newestVersion() async throws -> String? {
        try await open().manifest(of: "words", version: nil)?.version.description
    }

    /// The texts of the version's files by their paths, as read from their places.
    func texts(_ version: String? = nil) async throws -> [String: String] {
        let content = try await open()
        let version = version.flatMap { SemanticVersion($0) }
        let manifest = try #require(try await content.manifest(of: "words", version: version))
        var texts: [String: String] = [:]
        for file in manifest.files {
            let location = try #require(try await content.location(of: file.sha256))
            texts[file.path] = try await String(decoding: Self.read(location), as: UTF8.self)
        }
        return texts
    }

    private static func read(_ location: ContentLocation) async throws -> Data {
        switch location {
        case .file(let path, _): return try Data(contentsOf: URL(filePath: path))
        case .url(let get, _):
            let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: get), timeout: .seconds(180))
            #expect(answer.status == .ok)
            return Data(try await answer.body.collect(upTo: 1 << 20).readableBytesView)
        }
    }

    /// Replaces the bytes of an object by others.
    func damage(_ sha256: String, _ text: String) async throws {
        switch place {
        case .folder:
            let path = ".store/objects/\(sha256.prefix(2))/\(sha256)"
            try content.remove(path)
            try content.write(text, to: path)
        case .bucket(let client):
            try await client.put(.bytes(Data(text.utf8)), at: RepositoryBucket.object(sha256), .always)
        }
    }
}
