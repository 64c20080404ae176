import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// Operations on objects. Keys are without the bucket's prefix. All methods throw ``ObjectStoreError``.
///
/// Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
extension ObjectClient {
    static let maximumPages = 1_000
    /// The keys in a page of a listing, the maximum of S3.
    static let pageKeys = 1_000
    private static let maximumPageBytes = 4 << 20

    /// Writes an object atomically.
    ///
    /// If it is retried after a response was lost, the object may exist from the earlier attempt: then the condition
    /// fails although it was met. Read the object if that matters.
    ///
    /// - Parameter headers: of the object, with names in lower case.
    /// - Throws: `preconditionFailed` if the condition does not hold.
    package func put(
        _ body: ObjectBody, at key: String, _ condition: ObjectCondition, headers: [(name: String, value: String)] = []
    ) async throws {
        do {
            try await write(body, at: key, condition, headers)
        } catch ObjectStoreError.preconditionFailed {
            // Ceph 16 stores tags without their quotes and compares with them. The condition of the retry still
            // decides.
            guard case .unchanged(let etag) = condition, try await self.etag(of: key) == etag else {
                throw ObjectStoreError.preconditionFailed
            }
            try await write(body, at: key, .unchanged(etag: etag.filter { $0 != "\"" }), headers)
        }
    }

    private func write(
        _ body: ObjectBody, at key: String, _ condition: ObjectCondition, _ headers: [(name: String, value: String)]
    ) async throws {
        guard body.isOfItsHash else { throw ObjectStoreError.file("no bytes, and another hash") }
        var call = ObjectCall(method: "PUT", key: key, headers: headers, body: body)
        switch condition {
        case .always: break
        case .absent: call.headers.append(("if-none-match", "*"))
        case .unchanged(let etag): call.headers.append(("if-match", etag))
        }
        call.maximumBytes = max(body.size, Self.maximumErrorBytes)
        do {
            try await ask(call) { _ in }
        } catch ObjectStoreError.refused(status: 404, code: let code)
            where condition != .always && code != "NoSuchBucket"
        {
            // The object that `If-Match` names has been deleted.
            throw ObjectStoreError.preconditionFailed
        }
    }

    /// The object; `nil` if there is none.
    ///
    /// - Parameter limit: in bytes.
    package func get(_ key: String, upTo limit: Int) async throws -> StoredObject? {
        let call = ObjectCall(method: "GET", key: key, maximumBytes: limit)
        return try await orNil {
            try await ask(call) { response in
                let bytes = try await response.body.collect(upTo: limit)
                guard let etag = response.headers.first(name: "etag") else {
                    throw ObjectStoreError.malformed("an object without ETag")
                }
                return StoredObject(bytes: Data(bytes.readableBytesView), etag: etag)
            }
        }
    }

    /// Streams the object's bytes, from the beginning again with each attempt.
    ///
    /// - Parameters:
    ///   - size: from a listing, in bytes.
    ///   - fold: combines all parts into a value.
    /// - Returns: `nil` if there is no such object.
    package func read<Value: Sendable>(
        _ key: String, size: Int, into start: Value, _ fold: @escaping @Sendable (inout Value, Data) -> Void
    ) async throws -> Value? {
        let call = ObjectCall(method: "GET", key: key, maximumBytes: max(size, Self.maximumErrorBytes))
        return try await orNil {
            try await ask(call) { response in
                var value = start
                for try await part in response.body { fold(&value, Data(part.readableBytesView)) }
                return value
            }
        }
    }

    /// The object's size in bytes; `nil` if there is none.
    package func size(of key: String) async throws -> Int? {
        guard let headers = try await headers(of: key) else { return nil }
        guard let size = headers.first(name: "content-length").flatMap({ Int($0) }), size >= 0 else {
            throw ObjectStoreError.malformed("an object without Content-Length")
        }
        return size
    }

    private func etag(of key: String) async throws -> String? { try await headers(of: key)?.first(name: "etag") }

    private func headers(of key: String) async throws -> HTTPHeaders? {
        try await orNil { try await ask(ObjectCall(method: "HEAD", key: key)) { $0.headers } }
    }

    /// Lists all objects whose keys have the prefix, sorted by key.
    ///
    /// - Parameter limit: the maximum number of objects.
    /// - Throws: `tooLarge` if there are more.
    package func list(_ start: String, upTo limit: Int) async throws -> [ListedObject] {
        try await list(start, upTo: limit, pageKeys: Self.pageKeys)
    }

    func list(_ start: String, upTo limit: Int, pageKeys: Int) async throws -> [ListedObject] {
        var (objects, continuation) = ([ListedObject](), String?.none)
        for _ in 0..<Self.maximumPages {
            let page = try await page(of: start, from: continuation, pageKeys)
            objects += page.objects
            guard objects.count <= limit else { throw ObjectStoreError.tooLarge(limit: limit) }
            guard let next = page.continuation else { return objects }
            continuation = next
        }
        throw ObjectStoreError.malformed("a listing without an end")
    }

    private func page(of start: String, from continuation: String?, _ pageKeys: Int) async throws -> ObjectListing {
        let prefix = bucket.prefix
        var call = ObjectCall(
            method: "GET",
            query: [
                ("encoding-type", "url"), ("list-type", "2"), ("max-keys", String(pageKeys)),
                ("prefix", prefix + start),
            ], maximumBytes: Self.maximumPageBytes)
        if let continuation { call.query.append(("continuation-token", continuation)) }
        return try await ask(call) { response in
            let document = try await response.body.collect(upTo: Self.maximumPageBytes)
            let listing = try ObjectListing(Data(document.readableBytesView), prefix: prefix)
            // Mistaken for an empty listing, it would withdraw all versions.
            if let code = listing.errorCode { throw ObjectStoreError.malformed("an error, not a listing: \(code)") }
            return listing
        }
    }

    /// Deletes the object. Idempotent.
    package func delete(_ key: String) async throws {
        try await ask(ObjectCall(method: "DELETE", key: key, expected: [200, 204, 404])) { _ in }
    }

    private func orNil<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch ObjectStoreError.refused(status: 404, code: let code) where code != "NoSuchBucket" {
            return nil
        }
    }
}

/// An object that was read whole.
package struct StoredObject: Sendable {
    package var bytes: Data
    /// The entity tag, with its quotes.
    package var etag: String
}
