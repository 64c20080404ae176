import Basics
import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// Returns the product list, whose IDs an app may request from StoreKit.
struct ProductRoutes: Sendable {
    static let path = "/v1/apps/{bundleID}/products"

    let live: LiveCatalog
    let lists: ProductLists
    let clock: @Sendable () -> Date

    func add(to router: Router<ServerContext>) {
        router.get(RouterPath(Self.path)) { request, context in try list(request, context) }
    }

    private func list(_ request: Request, _ context: ServerContext) throws -> Response {
        let bundleID = try context.pathPart("bundleID")
        guard request.uri.query != nil else { return answer(try lists.list(bundleID, at: clock()).bytes, to: request) }
        let file = live.current
        guard let app = file.catalog.app(bundleID) else { throw Problem.unknownApp }
        let query = request.uri.queryParameters
        let client = Availability.Client(
            appVersion: query["appVersion"].map(String.init), platform: query["platform"].map(String.init),
            storefront: query["storefront"].map(String.init))
        return answer(try ProductListBody(app, file.revision, for: client, at: clock()).encoded(), to: request)
    }

    /// The response with a strong entity tag of the bytes; 304 if the client has them.
    private func answer(_ bytes: ByteBuffer, to request: Request) -> Response {
        let tag = bytes.entityTag
        let outcome = Preconditions(request.headers)
            .outcome(method: request.method.rawValue, etag: tag, size: bytes.readableBytes)
        switch outcome {
        case .notModified: return Response(status: .notModified, headers: Self.validators(tag))
        case .preconditionFailed: return Response(status: .preconditionFailed, headers: Self.validators(tag))
        case .whole, .part, .rangeNotSatisfiable:
            return Response(status: .ok, headers: Self.headers(tag), body: ResponseBody(byteBuffer: bytes))
        }
    }

    static func validators(_ tag: String) -> HTTPFields { [.eTag: "\"\(tag)\"", .cacheControl: "no-cache"] }

    static func headers(_ tag: String) -> HTTPFields {
        var headers = validators(tag)
        headers[.contentType] = "application/json"
        return headers
    }
}

extension ByteBuffer {
    /// The opaque part of a strong entity tag of the bytes.
    var entityTag: String { sha256.prefix(16).hex }
}
