import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// Keys are those below the bucket's prefix. All throws ``ObjectStoreError``.
///
/// Source: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
extension ObjectClient {
    static let maximumPages = 1_000
    /// In a page of a listing; stores give no more.
    static let pageKeys = 1_000
    private static let maximumPageBytes = 4 << 20

    /// Writes an object, whole or not at all.
    ///
    /// Asked again after an answer was lost, the store may have the object from the time before: then the condition
    /// fails although it was met. Read the object where that matters.
    ///
    /// - Parameter headers: of the object, by names in lower case.
    /// - Throws: `preconditionFailed` where the condition does not hold.
    package func put(
        _ body: ObjectBody, at key: String, _ condition: ObjectCondition,
        headers: [(name: String, value: String)] = []
    ) async throws {
        do {
            try await write(body, at: key, condition, headers)
        } catch ObjectStoreError.preconditionFailed {
            // Ceph 16 keeps tags without their quotes and compares with them. What decides is the condition, again.
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
            // What `If-Match` asks for is gone.
            throw ObjectStoreError.preconditionFailed
        }
    }

    /// The object; nil where there is none.
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

    /// Hands the object's bytes over in parts, anew with each attempt.
    ///
    /// - Parameters:
    ///   - size: as a listing says, in bytes.
    ///   - fold: makes a value of all parts.
    /// - Returns: nil where there is none.
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

    /// The object's size in bytes; nil where there is none.
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

    /// All objects whose keys begin with the text, by their keys.
    ///
    /// - Parameter limit: how many; more are an error.
    /// - Throws: `tooLarge` where there are more.
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
            ],
            maximumBytes: Self.maximumPageBytes)
        if let continuation { call.query.append(("continuation-token", continuation)) }
        return try await ask(call) { response in
            let document = try await response.body.collect(upTo: Self.maximumPageBytes)
            let listing = try ObjectListing(Data(document.readableBytesView), prefix: prefix)
            // Taken for an empty listing it would withdraw everything.
            if let code = listing.errorCode { throw ObjectStoreError.malformed("an error, not a listing: \(code)") }
            return listing
        }
    }

    /// Removes the object. The second time nothing changes.
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
