import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

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
        let bundleID = try context.pathPart("bundleID", as: BundleID.self)
        guard request.uri.query != nil else {
            return try answer(try lists.list(bundleID, at: clock()).text, to: request)
        }
        let file = live.current
        guard let app = file.catalog.app(bundleID) else { throw Problem.unknownApp }
        let query = request.uri.queryParameters
        let client = Availability.Client(
            appVersion: query["appVersion"].map(String.init), platform: query["platform"].map(String.init),
            storefront: query["storefront"].map(String.init))
        let body = try ProductListBody(app, file.revision, for: client, at: clock()).encoded()
        return try answer(TextRepresentations(body, Self.type), to: request)
    }

    private func answer(_ text: TextRepresentations, to request: Request) throws -> Response {
        try Response.text(text, headers: Self.headers, to: request)
    }

    static let type = "application/json"
    static let headers: HTTPFields = [.cacheControl: "no-cache"]
}
