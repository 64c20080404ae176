import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOCore
import ServerHTTP

/// Returns an account's entitlements and balances, and spends credits.
struct EntitlementRoutes: RouteFeature {
    let ledger: any AccountLedger
    let publications: PublicationDates
    let decisions: ServingContext
    let signer: EntitlementSigner

    func add(to groups: RouteGroups) {
        groups.player.on(.get, "entitlements", RouteFacts("getEntitlements")) { try await list($0, $1) }
        let spend = RouteFacts("spendCredits", reads: .json(SpendRequestBody.self))
        groups.player.on(.post, "balances/{currency}/spend", spend) { try await self.spend($0, $1) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (account, scope, nonce) = (try context.account, try decisions.scope(of: request), try request.nonce)
        let body = try await body(of: account, scope: scope)
        let plain = try body.json()
        let tag = body.tag(of: plain)
        let signed = try sign(body, tagged: tag, of: account, in: scope, nonce: nonce)
        // The device needs what was signed anew.
        let unknown = signed.map { !$0.isKnown } ?? false
        return try .text(
            TextRepresentations(signed.map { plain.addingSigned($0.jws) } ?? plain, "application/json", tag: tag),
            headers: [.cacheControl: "no-store"],
            notModified: unknown ? nil : [.quartermasterAt: TimeFormat.wholeSeconds.text(of: body.at)], to: request)
    }

    /// The response of `GET /v1/entitlements`, unsigned.
    private func body(of account: AccountID, scope: Scope?) async throws -> EntitlementsBody {
        let context = decisions.context
        let entitlements = try await ledger.entitlements(of: account, in: context)
        var balances: Credits?
        if let scope { balances = try await ledger.balances(of: account, scope: scope, in: context) }
        return EntitlementsBody(
            account: account.text, at: context.date,
            entitlements: try await bodies(of: entitlements, of: account, at: context.date), balances: balances)
    }

    /// The same, signed, for the response to a restore.
    func signedBody(of account: AccountID, scope: Scope?, nonce: String?) async throws -> EntitlementsBody {
        var body = try await body(of: account, scope: scope)
        let tag = body.tag(of: try body.json())
        body.signed = try sign(body, tagged: tag, of: account, in: scope, nonce: nonce)?.jws
        return body
    }

    /// - Returns: `nil` if the request is about no one app.
    private func sign(
        _ body: EntitlementsBody, tagged tag: String, of account: AccountID, in scope: Scope?, nonce: String?
    ) throws -> (jws: String, isKnown: Bool)? {
        guard let scope, let app = decisions.live.current.catalog.app(scope.app) else { return nil }
        return try signer.sign(
            .init(
                body: body, account: account, scope: scope, tag: tag, offlineDays: app.offlineDays, nonce: nonce))
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

extension ByteBuffer {
    /// A JSON object with the JWS as its last member.
    fileprivate func addingSigned(_ jws: String) -> ByteBuffer {
        var copy = self
        copy.moveWriterIndex(to: max(copy.readerIndex, copy.writerIndex - 1))
        copy.writeString(",\"signed\":\"\(jws)\"}")
        return copy
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
