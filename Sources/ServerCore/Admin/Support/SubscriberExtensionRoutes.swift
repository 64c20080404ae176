import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// The routes that extend the renewal dates of all subscribers of a product, and tell how far the store is.
struct SubscriberExtensionRoutes: RouteFeature {
    let extensions: SubscriberExtensions

    func add(to groups: RouteGroups) {
        let path = "apps/{bundleID}/products/{id}/extend"
        let facts = RouteFacts("extendAllSubscribers", reads: .json(SubscriberExtensionRequestBody.self))
        groups.admin.on(.post, path, facts, query: ["dryRun"], about: .appInPath) { try await extended($0, $1) }
        let reading = RouteFacts("getSubscriberExtension")
        groups.admin.on(.get, path, reading, query: ["environment"], about: .appInPath) { request, context in
            let environment = request.uri.queryParameters["environment"].map(String.init)
            let (product, scope) = try subject(context, environment: environment)
            guard let last = try await extensions.last(of: product, in: scope) else { throw Problem.notFound }
            return try .adminJSON(SubscriberExtensionBody(last))
        }
    }

    private func extended(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let body = try await request.decodedBody(SubscriberExtensionRequestBody.self, context)
        let (product, scope) = try subject(context, environment: body.environment)
        let question = SubscriberExtensions.Question(
            product: product, scope: scope, days: body.days, key: try request.idempotencyKey)
        let answer = try await extensions.answer(
            to: question, by: try context.administrator, reason: body.reason, isDryRun: isDryRun)
        return try .adminJSON(answer, status: isDryRun ? .ok : .accepted)
    }

    private func subject(_ context: ServerContext, environment: String?) throws -> (ProductID, Scope) {
        let app = try context.pathPart("bundleID", as: BundleID.self)
        guard let scope = try extensions.decisions.scope(bundleID: app, environment: environment) else {
            throw Problem.unknownApp
        }
        return (try context.pathPart("id", as: ProductID.self), scope)
    }
}

/// The number of days by which the renewal dates of all subscribers are extended, and the reason.
struct SubscriberExtensionRequestBody: JSONRequestBody {
    var days: Int
    var reason: String
    var environment: String?
}
