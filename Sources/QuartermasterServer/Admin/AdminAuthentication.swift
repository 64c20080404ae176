import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// Lets only administrators in: `Authorization: Bearer <adminToken>` (RFC 6750 §2.1). Whoever may only look gets 403
/// for every method that changes something.
///
/// A token that is in force is never refused because of others: behind a proxy that nobody named, all have one address.
/// So each is looked up, by its hash in an index, and only wrong ones are counted.
struct AdminAuthentication: RouterMiddleware {
    let tokens: any AdminTokens
    let clients: ClientAddresses
    /// Counts wrong tokens by address.
    let limiter: RateLimiter<IPAddress?>
    let clock: @Sendable () -> Date

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let text = request.bearerToken else { throw Problem.unauthenticated }
        guard let token = try await tokens.adminToken(digest: AccessToken.digest(of: text)) else {
            try limiter.consume(for: clients.subscriber(request, context), at: clock())
            throw Problem.unauthenticated
        }
        let looks = request.method == .get || request.method == .head
        context.notes.admin = token
        guard looks || token.role == .write else { throw Problem.readOnly }
        return try await next(request, context)
    }
}

extension ServerContext {
    /// Who acts. Set by ``AdminAuthentication``.
    /// - Throws: 401 where nobody was authenticated.
    var actor: AuditActor {
        get throws {
            guard let admin = notes.admin else { throw Problem.unauthenticated }
            return .admin(admin)
        }
    }
}

extension Problem {
    static let readOnly = Problem(.forbidden, "forbidden", "This admin token is read-only")
}
