import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Creates accounts, and opens and closes sessions.
struct AccountRoutes: RouteFeature {
    let ledger: any AccountLedger
    let decisions: ServingContext
    let clients: ClientAddresses
    let limits: RateLimits
    let clock: @Sendable () -> Date
    let random: RandomBytes

    func add(to groups: RouteGroups) {
        let create = RouteFacts("createAccount", reads: .json(AccountRequestBody.self))
        groups.open.on(.post, "accounts", create) { try await self.create($0, $1) }
        let open = RouteFacts("createSession", reads: .json(SessionRequestBody.self))
        groups.open.on(.post, "sessions", open) { try await self.open($0, $1) }
        groups.player.on(.delete, "sessions/current", RouteFacts("endSession")) { request, _ in
            try await close(request)
        }
    }

    private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
        try limits.accounts.consume(for: clients.subscriber(request, context), at: clock())
        let app = try await bundleID(of: request, context)
        let key = try request.accountKey
        let scope = try decisions.scope(bundleID: app, environment: nil)
        let (token, code) = (AccessToken(random), RecoveryCode(random))
        let account = try await ledger.createAccount(
            NewAccount(
                Names.account(random), token: AccessToken.digest(of: token.text),
                recoveryCode: RecoveryCode.digest(of: code.text),
                idempotencyKey: key.map { Data(SHA256.hash(data: Data($0.utf8))) }, at: clock()))
        context.notes.account = account
        // A separate commit: if this process ends before it, the account's next request gives them.
        if let scope, decisions.live.current.catalog.app(scope.app)?.startingCredits.isEmpty == false {
            try await ledger.giveStartingCredits(to: account, in: scope, decisions.context)
        }
        return try .json(
            AccountBody(account: account.text, accessToken: token.text, recoveryCode: code.text), status: .created)
    }

    /// The app that the optional body names.
    private func bundleID(of request: Request, _ context: ServerContext) async throws -> BundleID? {
        try await request.decodedBody(AccountRequestBody.self, context).bundleID
    }

    /// A right code is never refused because of wrong ones, which may come from the same address behind a proxy that is
    /// not in `trustedProxies`. So every code is looked up, in an index and without a write, and only wrong ones are
    /// counted; the sessions that a right one opens count for its account.
    private func open(_ request: Request, _ context: ServerContext) async throws -> Response {
        let code = RecoveryCode.digest(of: try await request.decodedBody(SessionRequestBody.self, context).recoveryCode)
        let token = AccessToken(random)
        guard let owner = try await ledger.account(forRecoveryCode: code) else { throw try wrongCode(request, context) }
        context.notes.account = owner
        try limits.sessions.consume(for: owner, at: clock())
        // Support may have replaced the code meanwhile.
        let account = try await ledger.openSession(
            recoveryCode: code, token: AccessToken.digest(of: token.text), at: clock())
        guard let account else { throw try wrongCode(request, context) }
        context.notes.account = account
        return try .json(AccountBody(account: account.text, accessToken: token.text), status: .created)
    }

    /// - Throws: 429 if the address has sent too many wrong codes.
    private func wrongCode(_ request: Request, _ context: ServerContext) throws(Problem) -> Problem {
        try limits.recoveryCodes.consume(for: clients.subscriber(request, context), at: clock())
        return Problem(.unauthorized, "invalid_credentials", "No account has this recovery code")
    }

    private func close(_ request: Request) async throws -> Response {
        guard let token = request.bearerToken else { throw Problem.unauthenticated }
        try await ledger.closeSession(token: AccessToken.digest(of: token), at: clock())
        return Response(status: .noContent)
    }
}

private struct AccountBody: Encodable {
    var account: String
    var accessToken: String
    var recoveryCode: String?
}

/// The optional body of a request for a new account.
struct AccountRequestBody: JSONRequestBody {
    /// The app that the account is made for, which may give starting credits; not needed where one app is served.
    var bundleID: BundleID?
}

/// The recovery code that opens a session.
struct SessionRequestBody: JSONRequestBody { var recoveryCode: String }
