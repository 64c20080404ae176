import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
package import Ledger
package import ServerHTTP

/// Authenticates administrators by `Authorization: Bearer <adminToken>` (RFC 6750 §2.1).
///
/// A valid token is never refused because of other clients' failures: behind a proxy that is not in `trustedProxies`
/// all clients share one address. So every token is looked up, by its hash in an index, and only wrong ones are
/// counted.
struct AdminAuthentication: RouterMiddleware {
    let ledger: any AdminTokenLedger
    let clients: ClientAddresses
    /// The rate limit of wrong tokens, by address.
    let limiter: RateLimiter<IPAddress?>
    let clock: @Sendable () -> Date

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let text = request.bearerToken else { throw Problem.noAdminToken }
        guard let token = try await ledger.adminToken(digest: AccessToken.digest(of: text)) else {
            try limiter.consume(for: clients.subscriber(request, context), at: clock())
            throw Problem.noAdminToken
        }
        context.notes.admin = token
        return try await next(request, context)
    }
}

extension ServerContext {
    /// The administrator who sent the request, set by ``AdminAuthentication``.
    /// - Throws: 401 if nobody was authenticated.
    package var administrator: Administrator {
        get throws {
            guard let admin = notes.admin else { throw Problem.noAdminToken }
            return Administrator(admin)
        }
    }

    /// The actor of the audit trail for the administrator who sent the request.
    /// - Throws: 401 if nobody was authenticated.
    package var actor: AuditActor { get throws { try administrator.actor } }
}

extension Problem {
    fileprivate static let noAdminToken = Problem(
        .unauthorized, Problem.unauthenticated.code, "No valid admin token",
        detail: "Send Authorization: Bearer <adminToken>, a token of quartermaster admin-token create.")
}

extension AdminToken: NamedAdministrator {}

extension LogAnnotations {
    /// The token of the administrator who sent the request.
    package var admin: AdminToken? {
        get { administrator as? AdminToken }
        set { administrator = newValue }
    }
}
