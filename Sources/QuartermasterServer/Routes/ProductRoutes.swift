import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// The product list: what an app may ask StoreKit for.
struct ProductRoutes: Sendable {
    let live: LiveCatalog
    let clock: @Sendable () -> Date

    func add(to router: Router<ServerContext>) {
        router.get("/v1/apps/{bundleID}/products") { request, context in try list(request, context) }
    }

    private func list(_ request: Request, _ context: ServerContext) throws -> Response {
        let file = live.current
        guard let app = file.catalog.app(try context.pathPart("bundleID")) else { throw Problem.unknownApp }
        let query = request.uri.queryParameters
        let client = Availability.Client(
            appVersion: query["appVersion"].map(String.init), platform: query["platform"].map(String.init),
            storefront: query["storefront"].map(String.init))
        let date = clock()
        let offered = app.products.filter { $0.availability.includes(client, at: date) }
        let body = ProductListBody(
            revision: file.revision, productIDs: offered.map(\.id), products: offered.map(ProductBody.init))
        return answer(try JSONCoding.encode(body), to: request)
    }

    /// With a strong entity tag of the bytes; 304 where the client has them.
    private func answer(_ bytes: ByteBuffer, to request: Request) -> Response {
        let tag = bytes.sha256.prefix(16).hex
        var headers: HTTPFields = [.eTag: "\"\(tag)\"", .cacheControl: "no-cache"]
        let outcome = Preconditions(request.headers)
            .outcome(method: request.method.rawValue, etag: tag, size: bytes.readableBytes)
        switch outcome {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .preconditionFailed: return Response(status: .preconditionFailed, headers: headers)
        case .whole, .part, .rangeNotSatisfiable:
            headers[.contentType] = "application/json"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        }
    }
}

private struct ProductListBody: Encodable {
    var revision: String
    var productIDs: [ProductID]
    var products: [ProductBody]
}

private struct ProductBody: Encodable {
    var id: ProductID
    var type: ProductType
    var bundles: [BundleName]
    var metadata: [String: JSONValue]

    init(_ product: Product) {
        (id, type) = (product.id, product.type)
        (bundles, metadata) = (product.bundles, product.metadata)
    }
}
