import Foundation
import Hummingbird
import InAppPurchase
import ServerHTTP

/// Lists the bundles for administrators.
struct BundleListRoutes: RouteFeature {
    let publishing: Publishing
    let publications: PublicationDates
    let live: LiveCatalog
    let clock: @Sendable () -> Date

    func add(to groups: RouteGroups) {
        groups.admin.on(.get, "bundles", RouteFacts("listAdminBundles"), query: ["after", "limit"]) { request, _ in
            let after = try request.uri.queryParameters["after"].map { text in
                guard let name = try? BundleName(checking: String(text)) else {
                    throw Problem.invalidRequest("after: the name of a bundle")
                }
                return name
            }
            let maximum = AdminBundleListBody.maximumEntries
            return try .adminJSON(
                await AdminBundleListBody(
                    publishing.content, publications, live.current.catalog, after: after,
                    limit: try request.limit(upTo: maximum, default: maximum), at: clock()))
        }
    }
}
