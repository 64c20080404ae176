import AsyncHTTPClient
import Basics
package import Foundation
import NIOCore
import NIOHTTP1

/// A client of an S3-compatible object store. Every request has a timeout and a maximum size, and is retried a few
/// times if the object store does not answer or asks to try again.
package struct ObjectClient: Sendable {
    /// The maximum size of an error document, in bytes.
    static let maximumErrorBytes = 64 << 10
    /// The maximum number of attempts.
    static let attempts = 4
    /// The pause before the second attempt; it triples before each further one.
    static let firstPause = Duration.milliseconds(200)
    /// The timeout for the head of a response and for small bodies.
    static let answerTime = Duration.seconds(20)
    /// The slowest transfer that is waited for, in bytes a second.
    static let slowestTransfer = 64 << 10

    /// Shared, like AsyncHTTPClient's own, and open as long as the process. It follows no redirect, which would be
    /// signed for another host, and decompresses nothing.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    package let bucket: Bucket
    let signature: SignatureV4
    /// Gives the date that requests are signed with.
    let clock: @Sendable () -> Date

    /// - Parameter clock: gives the true time; object stores refuse requests whose time is minutes off.
    package init(_ bucket: Bucket, _ credentials: ObjectCredentials, clock: @escaping @Sendable () -> Date) {
        self.bucket = bucket
        self.clock = clock
        signature = SignatureV4(credentials, region: bucket.region)
    }

    /// A presigned URL: whoever has it may read the object until it expires. Makes no request.
    ///
    /// - Parameters:
    ///   - method: `GET` or `HEAD`; a URL is valid only for its method.
    ///   - lifetime: in seconds.
    ///   - answer: response headers in place of the object's own, such as `response-content-encoding`.
    package func link(
        to key: String, method: String, lifetime: Int, answer: [(name: String, value: String)] = [], at date: Date
    ) -> String {
        let request = SignableRequest(
            method: method, path: bucket.path(of: key), query: answer, headers: [("host", bucket.host)])
        let query = signature.query(for: request, lifetime: lifetime, at: date)
        return "\(bucket.scheme)://\(bucket.host)\(request.path)?\(query)"
    }

    /// Sends a request, with retries.
    ///
    /// - Parameter read: reads the body of a response whose status is expected.
    /// - Throws: ``ObjectStoreError``
    func ask<Value: Sendable>(
        _ call: ObjectCall, _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        var pause = Self.firstPause
        for _ in 1..<Self.attempts {
            do {
                return try await askOnce(call, read)
            } catch ObjectStoreError.unavailable {
                try await Task.sleep(for: pause)
                pause *= 3
            }
        }
        return try await askOnce(call, read)
    }

    private func askOnce<Value: Sendable>(
        _ call: ObjectCall, _ read: @escaping @Sendable (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let result = await withTimeLimit(call.time) { () -> Result<Value, any Error> in
            do {
                // Later than the enclosing timeout, so that every timeout is reported the same way.
                let response = try await Self.http.execute(prepared(call), timeout: TimeAmount(call.time) + .seconds(1))
                guard call.expected.contains(Int(response.status.code)) else { throw await Self.error(of: response) }
                return .success(try await read(response))
            } catch {
                return .failure(error)
            }
        }
        try Task.checkCancellation()
        do {
            guard let value = try result?.get() else { throw ObjectStoreError.unavailable("no answer in time") }
            return value
        } catch let error as ObjectStoreError {
            throw error
        } catch is NIOTooManyBytesError {
            throw ObjectStoreError.tooLarge(limit: call.maximumBytes)
        } catch let error as HTTPClientError {
            throw ObjectStoreError.unavailable(error.shortDescription)
        } catch let error as IOError {
            throw ObjectStoreError.unavailable("\(error.errnoCode)")
        } catch {
            throw ObjectStoreError.unavailable("\(type(of: error))")
        }
    }

    private func prepared(_ call: ObjectCall) -> HTTPClientRequest {
        let signable = SignableRequest(
            method: call.method, path: bucket.path(of: call.key), query: call.query,
            headers: [("host", bucket.host)] + call.headers)
        let query = signable.canonicalQuery
        var request = HTTPClientRequest(
            url: "\(bucket.scheme)://\(bucket.host)\(signable.path)" + (query.isEmpty ? "" : "?\(query)"))
        request.method = HTTPMethod(rawValue: call.method)
        for (name, value) in signature.headers(for: signable, sha256: call.body.sha256, at: clock()) {
            request.headers.add(name: name, value: value)
        }
        request.body = call.body.content
        return request
    }

    /// The error of a response with an unexpected status.
    private static func error(of response: HTTPClientResponse) async -> ObjectStoreError {
        let status = Int(response.status.code)
        let document = try? await response.body.collect(upTo: maximumErrorBytes)
        let code = document.flatMap { try? ObjectListing(Data($0.readableBytesView), prefix: "").errorCode }
        switch status {
        case 412: return .preconditionFailed
        // Two conditional writes conflicted; AWS asks to retry.
        case 409 where code == "ConditionalRequestConflict": return .unavailable("409")
        case 408, 429, 500...: return .unavailable("\(status)")
        default: return .refused(status: status, code: code)
        }
    }
}

/// One request to the object store.
struct ObjectCall: Sendable {
    var method: String
    /// The key; `nil` for the bucket itself.
    var key: String?
    var query: [(name: String, value: String)] = []
    /// The headers, with names in lower case.
    var headers: [(name: String, value: String)] = []
    var body = ObjectBody.bytes(Data())
    /// The statuses of responses whose body is read.
    var expected: Set<Int> = [200]
    /// The maximum number of bytes sent and received, from which the timeout is computed.
    var maximumBytes = ObjectClient.maximumErrorBytes

    var time: Duration { ObjectClient.answerTime + .seconds(maximumBytes / ObjectClient.slowestTransfer) }
}

/// The credentials that sign requests to an object store.
package struct ObjectCredentials: Sendable {
    package var accessKeyID: String
    package var secretAccessKey: String
    /// The token of temporary credentials; `nil` for permanent ones.
    package var sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension ObjectCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never the secret: descriptions are logged.
    package var description: String { "credentials" }
    package var debugDescription: String { description }
}

/// An error of an object store or of a request to it. Contains nothing that was sent, and nothing secret.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// The object exists already, or has changed.
    case preconditionFailed
    /// The object store refuses, and a retry would not help: a wrong key, no permission, no such bucket.
    case refused(status: Int, code: String?)
    /// No response, or one that asks to try again, after several attempts.
    case unavailable(String)
    /// The object, or the listing, exceeds the limit.
    case tooLarge(limit: Int)
    /// The response is not one of S3.
    case malformed(String)
    /// The file that is sent has changed, or cannot be read.
    case file(String)
}

extension ObjectStoreError: CustomStringConvertible {
    /// One line.
    package var description: String {
        switch self {
        case .preconditionFailed: "the object was written by somebody else"
        case .refused(let status, let code): "the object store refuses: \(status)\(code.map { " \($0)" } ?? "")"
        case .unavailable(let detail): "the object store does not answer: \(detail)"
        case .tooLarge(let limit): "the object is larger than \(limit) bytes"
        case .malformed(let detail): "the object store's answer is not understood: \(detail)"
        case .file(let detail): detail
        }
    }
}
