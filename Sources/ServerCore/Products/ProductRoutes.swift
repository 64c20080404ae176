package import Foundation
package import HTTPTypes
import Hummingbird
import InAppPurchase
import ServerHTTP
import StrictJSON

/// Returns the product list, whose IDs an app may request from StoreKit.
package struct ProductRoutes: RouteFeature {
    /// The parts of the path before and behind the app.
    package static let (pathBeforeApp, pathBehindApp) = ("/v1/apps/", "/products")
    package static let path = "\(pathBeforeApp){bundleID}\(pathBehindApp)"

    package let lists: ProductLists
    package let clock: @Sendable () -> Date

    package func add(to groups: RouteGroups) {
        groups.root.on(.get, Self.path, RouteFacts("listProducts", logged: .refusals)) { try await list($0, $1) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let bundleID = try context.pathPart("bundleID", as: BundleID.self)
        guard request.uri.query != nil else {
            return try answer(try await lists.list(bundleID, at: clock()).text, to: request)
        }
        let list = try await lists.list(
            bundleID, for: ProductListQuery(request), acceptEncoding: request.headers.joined(.acceptEncoding),
            at: clock())
        return try answer(list.text, to: request)
    }

    private func answer(_ text: TextRepresentations, to request: Request) throws -> Response {
        try Response.text(text, headers: Self.headers, to: request)
    }

    package static let type = "application/json"
    package static let headers: HTTPFields = [.cacheControl: "no-cache"]
}
