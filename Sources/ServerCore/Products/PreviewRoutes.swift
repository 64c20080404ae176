package import Foundation
import Hummingbird
import InAppPurchase
import ServerHTTP

/// Returns the product list that a client would get, now or at another time.
package struct PreviewRoutes: RouteFeature {
    package let lists: ProductLists
    package let clock: @Sendable () -> Date

    /// Adds the route for administrators.
    package func add(to groups: RouteGroups) {
        let (facts, query) = (RouteFacts("previewProducts"), ProductListQuery.names.union(["at"]))
        groups.admin.on(.get, "apps/{bundleID}/preview", facts, query: query, about: .appInPath) {
            try await preview($0, $1)
        }
    }

    private func preview(_ request: Request, _ context: ServerContext) async throws -> Response {
        let app = try context.pathPart("bundleID", as: BundleID.self)
        let time = try Self.date(request.uri.queryParameters["at"].map(String.init)) ?? clock()
        let list = try await lists.preview(app, for: ProductListQuery(request), at: time)
        return try .adminJSON(PreviewBody(at: time, list: list))
    }

    /// - Throws: 400 for a text that is no time.
    package static func date(_ text: String?) throws -> Date? {
        try text.map { text in
            guard let date = Date(rfc3339: text) else {
                throw Problem.invalidRequest("at: an RFC 3339 time, such as 2026-12-01T00:00:00Z")
            }
            return date
        }
    }
}

private struct PreviewBody: Encodable {
    var at: Date
    var list: ProductListBody
}
