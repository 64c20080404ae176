import Foundation
import HTTPTypes
import Hummingbird
package import InAppPurchase
import Ledger
import ServerHTTP

/// Support acts of administrators on accounts and purchases. Every act needs a reason, and takes `dryRun=true`, which
/// answers what it would change.
struct SupportRoutes: RouteFeature {
    let acts: SupportActs
    let random: RandomBytes

    func add(to groups: RouteGroups) {
        let router = groups.admin
        let transfer: Reading = { try await self.transfer($0, $1) }
        let original = "original-transactions/{environment}/{originalID}"
        on("\(original)/transfer", "transferOriginalTransaction", TransferRequestBody.self, router, transfer)
        // The old name, which is removed with 1.0.
        on("lines/{environment}/{originalID}/move", "moveLine", TransferRequestBody.self, router, transfer)
        on("\(original)/transfer/undo", "undoTransfer", UndoRequestBody.self, router) { try await undo($0, $1) }
        on("accounts/{account}/credits", "adjustCredits", AdjustmentRequestBody.self, router) {
            try await adjustment($0, $1)
        }
        on("accounts/{account}/sandbox-reset", "resetSandbox", SandboxResetRequestBody.self, router) {
            try await sandboxReset($0, $1)
        }
        on("receipts/{receipt}/retry", "retryReceipt", ReasonBody.self, router) { request, context in
            let id = try context.pathPart("receipt")
            return (.retryReceipt(id), try await request.decodedBody(ReasonBody.self, context).reason)
        }
        let code = RouteFacts("replaceRecoveryCode", reads: .json(ReasonBody.self))
        router.on(.post, "accounts/{account}/recovery-code", code, from: .support, query: ["dryRun"]) {
            try await recoveryCode($0, $1)
        }
        onAccount("sessions/revoke", "revokeSessions", router) { .revokeSessions($0) }
        onAccount("block", "blockAccount", router) { .setBlocked($0, true) }
        onAccount("unblock", "unblockAccount", router) { .setBlocked($0, false) }
        onAccount("tester", method: .put, "addTester", router) { .setTester($0, true) }
        onAccount("tester", method: .delete, "removeTester", router) { .setTester($0, false) }
        onAccount("external-id", method: .delete, "removeExternalID", router) { .setExternalID($0, nil) }
        on(
            "accounts/{account}/external-id", method: .put, "setExternalID", ExternalIDRequestBody.self, router,
            about: .everything
        ) { request, context in
            let account = try context.namedAccount
            let body = try await request.decodedBody(ExternalIDRequestBody.self, context)
            guard let id = ExternalID(body.externalID) else { throw Problem.wrongExternalID }
            return (.setExternalID(account, id), body.reason)
        }
        onAccount("beta", method: .put, "addToBeta", router) { .setBeta($0, true) }
        onAccount("beta", method: .delete, "removeFromBeta", router) { .setBeta($0, false) }
    }

    /// The act that a request asks for, and the reason.
    private typealias Reading = @Sendable (Request, ServerContext) async throws -> (SupportRequest, reason: String)

    private func on(
        _ path: String, method: HTTPRequest.Method = .post, _ operation: String, _ body: any JSONRequestBody.Type,
        _ router: AdminRouter, about subject: RouteSubject = .narrowed, _ read: @escaping Reading
    ) {
        let facts = RouteFacts(operation, reads: .json(body))
        router.on(method, path, facts, from: .support, query: ["dryRun"], about: subject) { request, context in
            let isDryRun = try request.isDryRun
            let (asked, reason) = try await read(request, context)
            return try .adminJSON(
                await acts.answer(to: asked, by: try context.administrator, reason: reason, isDryRun: isDryRun))
        }
    }

    /// Adds an act on the whole account in the path that needs a reason only.
    private func onAccount(
        _ path: String, method: HTTPRequest.Method = .post, _ operation: String, _ router: AdminRouter,
        _ act: @escaping @Sendable (AccountID) -> SupportRequest
    ) {
        on("accounts/{account}/\(path)", method: method, operation, ReasonBody.self, router, about: .everything) {
            request, context in
            let account = try context.namedAccount
            return (act(account), try await request.decodedBody(ReasonBody.self, context).reason)
        }
    }

    private func transfer(
        _ request: Request, _ context: ServerContext
    ) async throws -> (SupportRequest, reason: String) {
        let body = try await request.decodedBody(TransferRequestBody.self, context)
        let original = try acts.originalTransaction(in: context, bundleID: body.bundleID, by: context.administrator)
        return (.transfer(original, to: try context.account(body.to, in: "to")), body.reason)
    }

    private func undo(_ request: Request, _ context: ServerContext) async throws -> (SupportRequest, reason: String) {
        let body = try await request.decodedBody(UndoRequestBody.self, context)
        return (
            .undoTransfer(
                try acts.originalTransaction(
                    in: context, bundleID: body.bundleID, by: context.administrator)), body.reason
        )
    }

    private func recoveryCode(_ request: Request, _ context: ServerContext) async throws -> Response {
        let isDryRun = try request.isDryRun
        let account = try context.namedAccount
        let body = try await request.decodedBody(ReasonBody.self, context)
        let answer = try await acts.newRecoveryCode(
            of: account, by: try context.administrator, reason: body.reason, isDryRun: isDryRun, random: random)
        return try .adminJSON(answer, status: isDryRun ? .ok : .created)
    }

    private func adjustment(
        _ request: Request, _ context: ServerContext
    ) async throws -> (SupportRequest, reason: String) {
        let account = try context.namedAccount
        let key = try request.idempotencyKey
        let body = try await request.decodedBody(AdjustmentRequestBody.self, context)
        let adjustment = Adjustment(
            account: account,
            scope: try acts.scope(bundleID: body.bundleID, environment: body.environment, by: context.administrator),
            currency: body.currency, amount: body.amount, idempotencyKey: key)
        guard let adjustment else { throw Problem.wrongAdjustment }
        return (.adjust(adjustment), body.reason)
    }

    private func sandboxReset(
        _ request: Request, _ context: ServerContext
    ) async throws -> (SupportRequest, reason: String) {
        let account = try context.namedAccount
        let body = try await request.decodedBody(SandboxResetRequestBody.self, context)
        let administrator = try context.administrator
        let app = try body.bundleID.map { try acts.scope(bundleID: $0, environment: nil, by: administrator).app }
        return (.resetSandbox(account, app: app), body.reason)
    }
}

extension Request {
    /// Whether the request asks what an act would change.
    /// - Throws: 400 for a value that is neither true nor false.
    package var isDryRun: Bool {
        get throws {
            guard let text = uri.queryParameters["dryRun"] else { return false }
            guard let isDryRun = Bool(String(text)) else { throw Problem.invalidRequest("dryRun: true or false") }
            return isDryRun
        }
    }
}

extension ServerContext {
    /// The account in the path, recorded for the log line.
    /// - Throws: 400 if it is no UUID.
    package var namedAccount: AccountID { get throws { try account(try pathPart("account"), in: "account") } }

    /// The account of this ID, recorded for the log line.
    /// - Parameter member: the name of the path parameter or member that the string is from.
    /// - Throws: 400 if it is no UUID.
    fileprivate func account(_ text: String, in member: String) throws -> AccountID {
        guard let account = AccountID(text: text) else { throw Problem.invalidRequest("\(member): a UUID") }
        notes.account = account
        return account
    }
}

/// The amount that is added to a balance, or taken from it if negative, and the reason.
struct AdjustmentRequestBody: JSONRequestBody {
    var currency: Currency
    var amount: Int
    var reason: String
    var bundleID: BundleID?
    var environment: String?
}

/// The reason for resetting an account's sandbox purchases, and the app if only one is meant.
struct SandboxResetRequestBody: JSONRequestBody {
    var reason: String
    var bundleID: BundleID?
}

/// The ID that the studio's own systems have for a player, and the reason.
struct ExternalIDRequestBody: JSONRequestBody {
    var externalID: String
    var reason: String
}

/// The account that a purchase is transferred to, and the reason.
struct TransferRequestBody: JSONRequestBody {
    var to: String
    var reason: String
    var bundleID: BundleID?
}

/// The reason for taking a transfer back, and the app of the purchase.
struct UndoRequestBody: JSONRequestBody {
    var reason: String
    var bundleID: BundleID?
}
