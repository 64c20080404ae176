import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Returns an account's entitlements and balances, and spends credits.
struct EntitlementRoutes: RouteFeature {
    let ledger: any AccountLedger
    let publications: PublicationDates
    let decisions: ServingContext

    func add(to groups: RouteGroups) {
        groups.player.on(.get, "entitlements", RouteFacts("getEntitlements")) { try await list($0, $1) }
        let spend = RouteFacts("spendCredits", reads: .json(SpendRequestBody.self))
        groups.player.on(.post, "balances/{currency}/spend", spend) { try await self.spend($0, $1) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await body(of: try context.account, scope: try decisions.scope(of: request))
        return try .text(
            try body.text, headers: [.cacheControl: "no-store"],
            notModified: [.quartermasterAt: TimeFormat.wholeSeconds.text(of: body.at)], to: request)
    }

    /// The response of `GET /v1/entitlements`.
    func body(of account: AccountID, scope: Scope?) async throws -> EntitlementsBody {
        let context = decisions.context
        let entitlements = try await ledger.entitlements(of: account, in: context)
        var balances: Credits?
        if let scope { balances = try await ledger.balances(of: account, scope: scope, in: context) }
        return EntitlementsBody(
            account: account.text, at: context.date,
            entitlements: try await bodies(of: entitlements, of: account, at: context.date), balances: balances)
    }

    /// The bodies, with `keeps` only if a published version stays accessible.
    private func bodies(
        of entitlements: [ProductEntitlement], of account: AccountID, at date: Date
    ) async throws -> [EntitlementBody] {
        guard entitlements.contains(where: { !$0.retained.isEmpty }) else {
            return entitlements.map(EntitlementBody.init)
        }
        let isBeta = try await ledger.isBeta(account)
        var bodies: [EntitlementBody] = []
        for entitlement in entitlements {
            var body = EntitlementBody(entitlement)
            if body.keeps == true, try await !publications.hasRetainedVersion(entitlement, isBeta: isBeta, at: date) {
                body.keeps = nil
            }
            bodies.append(body)
        }
        return bodies
    }

    private func spend(_ request: Request, _ context: ServerContext) async throws -> Response {
        let key = try request.idempotencyKey
        let body = try await request.decodedBody(SpendRequestBody.self, context)
        guard body.amount >= 1 else {
            throw Problem(.unprocessableContent, "invalid_request", "The amount to spend must be at least 1")
        }
        guard let scope = try decisions.scope(bundleID: body.bundleID, environment: body.environment) else {
            throw Problem.appNeeded
        }
        let currency = try context.pathPart("currency", as: Currency.self)
        let spend = Spend(
            account: try context.account, scope: scope, currency: currency, amount: body.amount, idempotencyKey: key)
        return try .json(SpendBody(currency: currency, balance: try await ledger.spend(spend, in: decisions.context)))
    }
}

private struct SpendBody: Encodable {
    var currency: Currency
    var balance: Int
}

/// The amount to spend, and the app and environment of the balance.
struct SpendRequestBody: JSONRequestBody {
    var amount: Int
    var bundleID: BundleID?
    var environment: String?
}
