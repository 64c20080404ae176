import HTTPTypes
import Hummingbird
import Ledger

/// Authenticates players by `Authorization: Bearer <accessToken>` (RFC 6750 §2.1). A blocked account gets 403 for
/// everything.
struct PlayerAuthentication: RouterMiddleware {
    let ledger: any Ledger

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let token = request.bearerToken else { throw Problem.unauthenticated }
        do {
            context.notes.account = try await ledger.account(forToken: AccessToken.digest(of: token))
        } catch LedgerRefusal.accountBlocked(let account) {
            context.notes.account = account
            throw LedgerRefusal.accountBlocked(account)
        }
        guard context.notes.account != nil else { throw Problem.unauthenticated }
        return try await next(request, context)
    }
}

extension Request {
    var bearerToken: String? {
        guard let header = headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts.first?.lowercased() == "bearer" else { return nil }
        return parts.last.map(String.init)
    }
}
