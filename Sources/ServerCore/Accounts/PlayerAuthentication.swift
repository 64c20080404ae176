import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Authenticates players by `Authorization: Bearer <accessToken>` (RFC 6750 §2.1). A blocked account gets 403 for
/// everything.
struct PlayerAuthentication: RouterMiddleware {
    let ledger: any AccountLedger

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try await authenticate(request, context)
        let sender = Sender(address: Sender.current.address, account: context.notes.account?.text)
        return try await Sender.$current.withValue(sender) { try await next(request, context) }
    }

    /// Sets the account of the context.
    ///
    /// - Throws: 401 without an open session, 403 if the account is blocked.
    func authenticate(_ request: Request, _ context: ServerContext) async throws {
        _ = try await Self.admit(request, context) { token in try await ledger.account(forToken: token).map { ($0, ()) }
        }
    }

    /// Sets the account of the context to that of the session.
    ///
    /// - Parameter find: returns the account of the session with this token digest, and what else was read with it;
    ///   `nil` if there is no such session.
    /// - Throws: 401 without an open session, 403 if the account is blocked.
    static func admit<Value>(
        _ request: Request, _ context: ServerContext, _ find: (Data) async throws -> (AccountID, Value)?
    ) async throws -> Value {
        guard let token = request.bearerToken else { throw Problem.unauthenticated }
        do {
            guard let (account, value) = try await find(AccessToken.digest(of: token)) else {
                throw Problem.unauthenticated
            }
            context.notes.account = account
            return value
        } catch LedgerRefusal.accountBlocked(let account) {
            context.notes.account = account
            throw LedgerRefusal.accountBlocked(account)
        }
    }
}

extension Request {
    var bearerToken: String? {
        guard let header = headers[.authorization] else { return nil }
        let usual = "Bearer "
        if header.hasPrefix(usual), case let token = header.utf8.dropFirst(usual.utf8.count), !token.isEmpty,
            !token.contains(UInt8(ascii: " "))
        {
            return String(Substring(token))
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts.first?.lowercased() == "bearer" else { return nil }
        return parts.last.map(String.init)
    }
}
