import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Gives accounts products without a purchase, and takes them back.
struct GrantRoutes: RouteFeature {
    let acts: SupportActs
    let random: RandomBytes

    func add(to groups: RouteGroups) {
        let give = RouteFacts("giveProduct", reads: .json(GrantRequestBody.self))
        groups.admin.on(
            .post, "accounts/{account}/grants", give, from: .support, query: ["dryRun"], about: .narrowed
        ) {
            try await self.give($0, $1)
        }
        let revoke = RouteFacts("takeProductBack", reads: .json(ReasonBody.self))
        groups.admin.on(
            .delete, "accounts/{account}/grants/{grant}", revoke, from: .support, query: ["dryRun"], about: .narrowed
        ) {
            try await self.revoke($0, $1)
        }
    }

    private func give(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let account = try context.namedAccount
        let key = try request.idempotencyKey
        let body = try await request.decodedBody(GrantRequestBody.self, context)
        let grant = ProductGrant(
            id: Names.grant(random), account: account,
            scope: try acts.scope(
                bundleID: body.app, environment: body.environment, member: "app", by: context.administrator),
            product: body.product, until: try body.end, idempotencyKey: key)
        let answer = try await acts.answer(
            to: .grant(grant), by: try context.administrator, reason: body.reason, isDryRun: isDryRun)
        return try .adminJSON(answer, status: isDryRun ? .ok : .created)
    }

    private func revoke(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let (account, id) = (try context.namedAccount, try context.pathPart("grant"))
        let body = try await request.decodedBody(ReasonBody.self, context)
        let answer = try await acts.answer(
            to: .revokeGrant(id, of: account), by: try context.administrator, reason: body.reason, isDryRun: isDryRun)
        guard isDryRun else { return Response(status: .noContent) }
        return try .adminJSON(answer)
    }
}

/// The product that an account is given without a purchase, until when, and the reason.
struct GrantRequestBody: JSONRequestBody {
    var product: ProductID
    var reason: String
    /// Needed if several apps are served.
    var app: BundleID?
    var environment: String?
    /// An RFC 3339 time; without it the access does not end.
    var until: String?

    /// - Throws: 422 if ``until`` is not a time.
    var end: Date? {
        get throws { try until.map { try Date(grantEnd: $0) } }
    }
}

extension Date {
    /// The end of the access to a product that is given.
    ///
    /// - Throws: 422 if the text is not a time.
    init(grantEnd text: String) throws {
        guard let end = Date(rfc3339: text) else { throw Problem.wrongGrantEnd }
        self = end
    }
}

extension Problem {
    static let wrongGrantEnd = Problem(
        .unprocessableContent, "invalid_request", "The end is not a time",
        detail: "until: an RFC 3339 time, such as 2026-12-01T00:00:00Z")
}
