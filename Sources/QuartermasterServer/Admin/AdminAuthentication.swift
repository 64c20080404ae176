import HTTPTypes
import Hummingbird
import InAppPurchase

/// Lets only administrators in: `Authorization: Bearer <adminToken>` (RFC 6750 §2.1). Whoever may only look gets 403
/// for every method that changes something.
struct AdminAuthentication: RouterMiddleware {
    let tokens: any AdminTokens

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let text = request.bearerToken,
            let token = try await tokens.adminToken(digest: AccessToken.digest(of: text))
        else { throw Problem.unauthenticated }
        let looks = request.method == .get || request.method == .head
        guard looks || token.role == .write else { throw Problem.readOnly }
        context.notes.admin = token
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
    static let readOnly = Problem(.forbidden, "forbidden", "This admin token may only read")
}
