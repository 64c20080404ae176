import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger

/// Support acts of administrators on accounts and purchases. Every act needs a reason.
struct SupportRoutes: Sendable {
    let ledger: any Ledger
    let decisions: ServingContext

    func add(to router: AdminRouter) {
        router.post("original-transactions/{environment}/{originalID}/transfer") { try await transfer($0, $1) }
        // The old name, which is removed with 1.0.
        router.post("lines/{environment}/{originalID}/move") { try await transfer($0, $1) }
        router.post("accounts/{account}/credits") { try await adjust($0, $1) }
        addStandings(to: router)
        router.post("accounts/{account}/sandbox-reset") { try await resetSandbox($0, $1) }
        router.post("accounts/{account}/sessions/revoke") {
            try await act($0, $1) { account, act in
                RevokedBody(account: account.text, revoked: try await ledger.revokeSessions(of: account, act))
            }
        }
    }

    private func addStandings(to router: AdminRouter) {
        router.post("accounts/{account}/block") {
            try await act($0, $1) { StandingBody(account: $0.text, blockedAt: try await ledger.block($0, $1)) }
        }
        router.post("accounts/{account}/unblock") {
            try await act($0, $1) { account, act in
                try await ledger.unblock(account, act)
                return StandingBody(account: account.text)
            }
        }
        router.put("accounts/{account}/tester") {
            try await act($0, $1) { TesterBody(account: $0.text, testerSince: try await ledger.addTester($0, $1)) }
        }
        router.delete("accounts/{account}/tester") {
            try await act($0, $1) { account, act in
                try await ledger.removeTester(account, act)
                return TesterBody(account: account.text)
            }
        }
        router.put("accounts/{account}/beta") {
            try await act($0, $1) { BetaBody(account: $0.text, betaSince: try await ledger.addToBeta($0, $1)) }
        }
        router.delete("accounts/{account}/beta") {
            try await act($0, $1) { account, act in
                try await ledger.removeFromBeta(account, act)
                return BetaBody(account: account.text)
            }
        }
    }

    private func transfer(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body = try await request.decodedBody(TransferRequestBody.self, context)
        let scope = try scope(bundleID: body.bundleID, environment: try context.pathPart("environment"))
        let account = try context.account(body.to, in: "to")
        let original = OriginalTransaction.Key(
            app: scope.app, environment: scope.environment,
            originalID: try context.pathPart("originalID", as: TransactionID.self))
        let decision = decisions.context
        let act = try context.act(body.reason, at: decision.date)
        return try .adminJSON(
            OriginalTransactionBody(try await ledger.transfer(original, to: account, act, in: decision)))
    }

    private func adjust(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try context.namedAccount
        let key = try request.idempotencyKey
        let body = try await request.decodedBody(AdjustmentRequestBody.self, context)
        let adjustment = Adjustment(
            account: account, scope: try scope(bundleID: body.bundleID, environment: body.environment),
            currency: body.currency, amount: body.amount, idempotencyKey: key)
        guard let adjustment else { throw Problem.wrongAdjustment }
        let decision = decisions.context
        let balance = try await ledger.adjust(
            adjustment, try context.act(body.reason, at: decision.date), in: decision)
        return try .adminJSON(AdjustedBody(adjustment, balance: balance))
    }

    private func resetSandbox(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try context.namedAccount
        let body = try await request.decodedBody(SandboxResetRequestBody.self, context)
        let app = try body.bundleID.map { try scope(bundleID: $0, environment: nil).app }
        let decision = decisions.context
        let act = try context.act(body.reason, at: decision.date)
        let forgotten = try await ledger.resetSandbox(of: account, app: app, act, in: decision)
        return try .adminJSON(SandboxResetBody(account: account.text, forgotten: forgotten))
    }

    /// Does an act on the account in the path, and answers with what came of it.
    private func act(
        _ request: Request, _ context: ServerContext,
        _ act: (AccountID, SupportAct) async throws -> some Encodable & Sendable
    ) async throws -> Response {
        let account = try context.namedAccount
        let body = try await request.decodedBody(ReasonBody.self, context)
        return try .adminJSON(try await act(account, try context.act(body.reason, at: decisions.clock())))
    }

    private func scope(bundleID: BundleID?, environment: String?) throws -> Scope {
        guard let scope = try decisions.scope(bundleID: bundleID, environment: environment) else {
            throw Problem.appNeeded
        }
        return scope
    }
}

extension ServerContext {
    /// The account in the path, recorded for the log line.
    /// - Throws: 400 if it is no UUID.
    var namedAccount: AccountID {
        get throws { try account(try pathPart("account"), in: "account") }
    }

    /// The account of this ID, recorded for the log line.
    /// - Parameter member: the name of the path parameter or member that the text is from.
    /// - Throws: 400 if it is no UUID.
    fileprivate func account(_ text: String, in member: String) throws -> AccountID {
        guard let account = AccountID(text: text) else { throw Problem.invalidRequest("\(member): a UUID") }
        notes.account = account
        return account
    }

    /// - Throws: 422 for a reason that is empty, too long or has control characters.
    fileprivate func act(_ reason: String, at date: Date) throws -> SupportAct {
        guard let act = SupportAct(by: try actor, reason: reason, at: date) else { throw Problem.wrongReason }
        return act
    }
}

extension Problem {
    fileprivate static let wrongReason = Problem(
        .unprocessableContent, "invalid_request", "A reason is required",
        detail: "reason: 1 to \(SupportAct.maximumReasonCharacters) characters, none of them a control character")
    fileprivate static let wrongAdjustment = Problem(
        .unprocessableContent, "invalid_request", "An adjustment needs a currency and an amount other than 0",
        detail: "amount: not 0, at most \(Adjustment.maximumAmount) either way; "
            + "currency: 1 to \(Adjustment.maximumCurrencyCharacters) characters, none of them a control character")
    static let appNeeded = Problem.invalidRequest("bundleID: needed, since several apps are served here")
}
