import Foundation
import HTTPTypes
package import InAppPurchase
package import Ledger
package import ServerHTTP

/// The acts of support, for the admin API, the pages and the command line. Every act needs a reason.
package struct SupportActs: Sendable {
    package let ledger: any ReceiptLedger & SupportLedger & AuditLedger
    package let decisions: ServingContext

    package init(ledger: any ReceiptLedger & SupportLedger & AuditLedger, decisions: ServingContext) {
        self.ledger = ledger
        self.decisions = decisions
    }

    /// Does an act, or says what it would change and records nothing.
    ///
    /// - Throws: 403 for an act on an app that the administrator's token is not for, and for one on a whole account
    ///   with a token for some apps; 422 for a reason that is empty, too long or has control characters;
    ///   ``/Ledger/LedgerRefusal``.
    package func answer(
        to request: SupportRequest, by administrator: Administrator, reason: String, isDryRun: Bool = false
    ) async throws -> any Encodable & Sendable {
        try await requireReach(of: administrator, for: request)
        let context = decisions.context
        guard let act = SupportAct(by: administrator.actor, reason: reason, at: context.date) else {
            throw Problem.wrongReason
        }
        guard !isDryRun else { return DryRunBody(try await ledger.preview(request, act, in: context)) }
        return try await done(request, act, in: context)
    }

    /// Gives an account a new recovery code, which is in the answer only.
    ///
    /// - Throws: as ``answer(to:by:reason:isDryRun:)``.
    package func newRecoveryCode(
        of account: AccountID, by administrator: Administrator, reason: String, isDryRun: Bool = false,
        random: RandomBytes
    ) async throws -> any Encodable & Sendable {
        let code = RecoveryCode(random)
        let answer = try await answer(
            to: .setRecoveryCode(account, digest: RecoveryCode.digest(of: code.text)), by: administrator,
            reason: reason, isDryRun: isDryRun)
        guard !isDryRun else { return answer }
        return RecoveryCodeBody(account: account.text, recoveryCode: code.text)
    }

    /// Returns what an act would change, before a reason for it is given.
    ///
    /// - Throws: as ``answer(to:by:reason:isDryRun:)``.
    package func preview(_ request: SupportRequest, by administrator: Administrator) async throws -> SupportChange {
        try await requireReach(of: administrator, for: request)
        let context = decisions.context
        guard let act = SupportAct(by: administrator.actor, reason: "preview", at: context.date) else {
            throw Problem.wrongReason
        }
        return try await ledger.preview(request, act, in: context)
    }

    private func requireReach(of administrator: Administrator, for request: SupportRequest) async throws {
        guard administrator.reach != .everything else { return }
        guard let app = try await ledger.app(of: request) else { throw Problem.outOfReach(administrator.reach) }
        try administrator.require(app)
    }

    private func done(
        _ request: SupportRequest, _ act: SupportAct, in context: RecordingContext
    ) async throws -> any Encodable & Sendable {
        switch request {
        case .transfer(let original, let account):
            OriginalTransactionBody(try await ledger.transfer(original, to: account, act, in: context))
        case .undoTransfer(let original):
            OriginalTransactionBody(try await ledger.undoTransfer(of: original, act, in: context))
        case .adjust(let adjustment):
            AdjustedBody(adjustment, balance: try await ledger.adjust(adjustment, act, in: context))
        case .grant(let grant): GrantBody(grant: try await ledger.grant(grant, act, in: context).id)
        case .revokeGrant(let id, let account):
            RevokedGrantBody(grant: id, revokedAt: try await ledger.revokeGrant(id, of: account, act, in: context))
        case .resetSandbox(let account, let app):
            SandboxResetBody(
                account: account.text,
                forgotten: try await ledger.resetSandbox(of: account, app: app, act, in: context))
        case .revokeSessions(let account):
            RevokedBody(account: account.text, revoked: try await ledger.revokeSessions(of: account, act))
        case .retryReceipt(let id): ReceiptFactsBody(try await ledger.retryReceipt(id, act))
        case .setRecoveryCode(let account, let digest): try await setRecoveryCode(account, digest, act)
        case .setBlocked(let account, let isSet): try await setBlocked(account, isSet, act)
        case .setTester(let account, let isSet): try await setTester(account, isSet, act)
        case .setBeta(let account, let isSet): try await setBeta(account, isSet, act)
        case .setExternalID(let account, let id): try await setExternalID(id, of: account, act)
        case .addNote(let id, let account): NoteBody(try await ledger.addNote(id, to: account, act))
        case .removeNote(let id, let account): try await removeNote(id, of: account, act)
        }
    }

    private func setRecoveryCode(
        _ account: AccountID, _ digest: Data, _ act: SupportAct
    ) async throws -> RecoveryCodeBody {
        try await ledger.setRecoveryCode(of: account, digest: digest, act)
        return RecoveryCodeBody(account: account.text)
    }

    private func setBlocked(_ account: AccountID, _ isSet: Bool, _ act: SupportAct) async throws -> StandingBody {
        guard !isSet else {
            return StandingBody(account: account.text, blockedAt: try await ledger.block(account, act))
        }
        try await ledger.unblock(account, act)
        return StandingBody(account: account.text)
    }

    private func setTester(_ account: AccountID, _ isSet: Bool, _ act: SupportAct) async throws -> TesterBody {
        guard !isSet else {
            return TesterBody(account: account.text, testerSince: try await ledger.addTester(account, act))
        }
        try await ledger.removeTester(account, act)
        return TesterBody(account: account.text)
    }

    private func setExternalID(
        _ id: ExternalID?, of account: AccountID, _ act: SupportAct
    ) async throws -> ExternalIDBody {
        try await ledger.setExternalID(id, of: account, act)
        return ExternalIDBody(account: account.text, externalID: id?.text)
    }

    private func removeNote(_ id: String, of account: AccountID, _ act: SupportAct) async throws -> RemovedNoteBody {
        try await ledger.removeNote(id, of: account, act)
        return RemovedNoteBody(account: account.text)
    }

    private func setBeta(_ account: AccountID, _ isSet: Bool, _ act: SupportAct) async throws -> BetaBody {
        guard !isSet else {
            return BetaBody(account: account.text, betaSince: try await ledger.addToBeta(account, act))
        }
        try await ledger.removeFromBeta(account, act)
        return BetaBody(account: account.text)
    }

    /// The app and environment of a request, for one app if only one is served.
    ///
    /// - Parameter member: the name of the request's member with the app.
    /// - Throws: 403 for an app that the administrator's token is not for, whether it is served or not; 400 if no app
    ///   is named and there are several; see ``ServingContext/scope(bundleID:environment:)``.
    package func scope(
        bundleID: BundleID?, environment: String?, member: String = "bundleID", by administrator: Administrator
    ) throws -> Scope {
        if let bundleID { try administrator.require(bundleID) }
        guard let scope = try decisions.scope(bundleID: bundleID, environment: environment) else {
            throw Problem.needsApp(member)
        }
        return scope
    }

    /// The original transaction that a path names.
    ///
    /// - Throws: as ``scope(bundleID:environment:member:by:)``.
    package func originalTransaction(
        in context: ServerContext, bundleID: BundleID?, by administrator: Administrator
    ) throws -> OriginalTransaction.Key {
        let scope = try scope(
            bundleID: bundleID, environment: try context.pathPart("environment"), by: administrator)
        return scope.original(try context.pathPart("originalID", as: TransactionID.self))
    }
}

extension Problem {
    package static let wrongReason = Problem(
        .unprocessableContent, "invalid_request", "A reason is required",
        detail: "reason: 1 to \(SupportAct.maximumReasonCharacters) characters, none of them a control character")
    package static let wrongAdjustment = Problem(
        .unprocessableContent, "invalid_request", "An adjustment needs a currency and an amount other than 0",
        detail: "amount: not 0, at most \(Adjustment.maximumAmount) either way; "
            + "currency: 1 to \(Adjustment.maximumCurrencyCharacters) characters, none of them a control character")
    package static let wrongExternalID = Problem(
        .unprocessableContent, "invalid_request", "The external ID cannot be one",
        detail: "externalID: 1 to \(ExternalID.maximumCharacters) characters, none of them a control character")
    package static let wrongNote = Problem(
        .unprocessableContent, "invalid_request", "The note cannot be written down",
        detail: "text: 1 to \(AccountNote.maximumCharacters) characters, none of them a control character")
    static let appNeeded = needsApp("bundleID")

    /// - Parameter member: the name of the request's member with the app.
    static func needsApp(_ member: String) -> Problem {
        .invalidRequest("\(member): needed, since several apps are served here")
    }
}

/// The balance after an adjustment.
struct AdjustedBody: Encodable {
    var account: String
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var balance: Int

    init(_ adjustment: Adjustment, balance: Int) {
        account = adjustment.account.text
        app = adjustment.scope.app
        environment = adjustment.scope.environment
        currency = adjustment.currency
        self.balance = balance
    }
}

/// Whether an account is offered versions on the beta channel.
struct BetaBody: Encodable {
    var account: String
    /// Omitted if the account is not.
    var betaSince: Date?
}

/// The ID that the studio's own systems have for an account.
struct ExternalIDBody: Encodable {
    var account: String
    /// Omitted if none is known.
    var externalID: String?
}

/// The account that a note was removed from.
struct RemovedNoteBody: Encodable {
    var account: String
}

/// The answer to a grant: its ID, by which it is taken back.
struct GrantBody: Encodable {
    var grant: String
}

/// An account whose sessions were revoked.
struct RevokedBody: Encodable {
    var account: String
    /// The number of sessions that were open.
    var revoked: Int
}

/// A grant that was taken back.
struct RevokedGrantBody: Encodable {
    var grant: String
    var revokedAt: Date
}

/// An account whose sandbox purchases were reset.
struct SandboxResetBody: Encodable {
    var account: String
    /// The number of purchases, or subscriptions, that were forgotten.
    var forgotten: Int
}

/// Whether an account is blocked.
struct StandingBody: Encodable {
    var account: String
    /// Omitted if it is not blocked.
    var blockedAt: Date?
}

/// Whether an administrator made an account a tester.
struct TesterBody: Encodable {
    var account: String
    /// Omitted if the account is no tester.
    var testerSince: Date?
}

/// An account that got a new recovery code.
package struct RecoveryCodeBody: Encodable {
    package var account: String
    /// The code, which is shown this once.
    package var recoveryCode: String?
}
