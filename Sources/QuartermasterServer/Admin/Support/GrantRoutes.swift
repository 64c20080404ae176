import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger

/// Gives accounts products without a purchase, and takes them back.
struct GrantRoutes: Sendable {
    let acts: SupportActs
    let random: RandomBytes

    func add(to router: AdminRouter) {
        router.post("accounts/{account}/grants", query: ["dryRun"], about: .narrowed) { try await give($0, $1) }
        router.delete("accounts/{account}/grants/{grant}", query: ["dryRun"], about: .narrowed) {
            try await revoke($0, $1)
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
