import Content
package import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore
import NIOPosix

extension CatalogFile {
    /// The response with a part of the catalog; its strong entity tag is the revision.
    ///
    /// - Parameter body: returns `nil` if the file is not UTF-8 and its entries cannot be shown unchanged.
    package func answer(
        to request: Request, _ body: @escaping @Sendable () throws -> ByteBuffer?
    ) async throws -> Response {
        let outcome = Preconditions(request.headers)
            .outcome(method: request.method.rawValue, etag: revision, size: 0)
        switch outcome {
        case .notModified: return Response(status: .notModified, headers: headers())
        case .preconditionFailed: throw CatalogRefusal.preconditionFailed(revision: revision)
        case .whole, .part, .rangeNotSatisfiable:
            guard let bytes = try await NIOThreadPool.singleton.runIfActive(body) else {
                throw CatalogRefusal.invalidCatalog("the file is not in UTF-8")
            }
            return Response(
                status: .ok, headers: headers(contentType: "application/json"), body: ResponseBody(byteBuffer: bytes))
        }
    }

    package func headers(contentType: String? = nil) -> HTTPFields {
        var headers: HTTPFields = [.eTag: "\"\(revision)\"", .cacheControl: "no-store"]
        headers[.contentType] = contentType
        return headers
    }
}

extension Request {
    /// The condition of an edit: `*` is a precondition on the entry itself (RFC 9110 §13.1.1 and §13.1.2), an entity
    /// tag one on the revision.
    var editCondition: @Sendable (_ exists: Bool, _ revision: String) -> Bool {
        let (ifMatch, ifNoneMatch) = (headers[.ifMatch], headers[.ifNoneMatch])
        let method = method.rawValue
        return { exists, revision in
            if ifMatch == "*" || ifNoneMatch == "*" {
                guard exists == (ifMatch == "*") else { return false }
            }
            let tags = Preconditions(
                ifMatch: ifMatch == "*" ? nil : ifMatch, ifNoneMatch: ifNoneMatch == "*" ? nil : ifNoneMatch)
            return tags.outcome(method: method, etag: revision, size: 0) == .whole
        }
    }
}

extension ByteBuffer {
    /// The JSON object with one more member, whose value is JSON already.
    package func adding(_ name: String, _ json: Data) -> ByteBuffer {
        var object = ByteBuffer(string: "{\"\(name)\":")
        object.writeBytes(json)
        object.writeString(",")
        object.writeBytes(readableBytesView.dropFirst())
        return object
    }
}
