import Foundation
import InAppPurchase

extension SupportRecorder {
    /// Does what an administrator asks for, and returns what it changed. For a preview the transaction is rolled back.
    package func change(by request: SupportRequest, in context: RecordingContext) throws -> SupportChange {
        let before = try state(of: request, in: context)
        try perform(request, in: context)
        return SupportChange(before: before, after: try state(of: request, in: context))
    }

    private func perform(_ request: SupportRequest, in context: RecordingContext) throws {
        switch request {
        case .transfer(let original, let account): _ = try transfer(original, to: account, in: context)
        case .undoTransfer(let original): _ = try undoTransfer(of: original, in: context)
        case .adjust(let adjustment): _ = try adjust(adjustment, in: context)
        case .grant(let grant): _ = try self.grant(grant, in: context)
        case .revokeGrant(let id, let account): _ = try revokeGrant(id, of: account, in: context)
        case .setBlocked(let account, true): _ = try block(account)
        case .setBlocked(let account, false): try unblock(account)
        case .setTester(let account, true): _ = try addTester(account)
        case .setTester(let account, false): try removeTester(account)
        case .setBeta(let account, true): _ = try addToBeta(account)
        case .setBeta(let account, false): try removeFromBeta(account)
        case .setExternalID(let account, let id): try setExternalID(id, of: account)
        case .addNote(let id, let account): _ = try addNote(id, to: account)
        case .removeNote(let id, let account): try removeNote(id, of: account)
        case .resetSandbox(let account, let app): _ = try resetSandbox(of: account, app: app, in: context)
        case .revokeSessions(let account): _ = try revokeSessions(of: account)
        case .setRecoveryCode(let account, let digest): try setRecoveryCode(of: account, digest: digest)
        case .retryReceipt(let id): _ = try retryReceipt(id)
        }
    }

    /// The state that the request concerns. Of an account that does not exist it is empty.
    private func state(of request: SupportRequest, in context: RecordingContext) throws -> [String: JSONValue] {
        switch request {
        case .grant(let grant): return try state(of: grant, in: context)
        case .revokeGrant(let id, let account):
            return try rows.grant(id, of: account).map { try state(of: $0.grant, in: context) } ?? [:]
        case .transfer(let key, let account): return try state(of: key, for: account)
        case .undoTransfer(let key): return try rows.originalTransactions([key])[key]?.auditContent ?? [:]
        case .adjust(let adjustment):
            let balances = try rows.balances(of: adjustment.account, in: adjustment.scope)
            return ["balance": .integer(balances[adjustment.currency] ?? 0)]
        case .setBlocked(let account, _): return ["blockedAt": .dateIfAny(try rows.account(account)?.blockedAt)]
        case .setTester(let account, _): return ["testerSince": .dateIfAny(try rows.account(account)?.testerSince)]
        case .setBeta(let account, _): return ["betaSince": .dateIfAny(try rows.account(account)?.betaSince)]
        case .setExternalID(let account, _):
            return ["externalID": .stringIfAny(try rows.account(account)?.externalID?.text)]
        case .addNote(_, let account), .removeNote(_, let account):
            return ["notes": .integer(try rows.notes(of: account).count)]
        case .resetSandbox(let account, let app): return try sandbox(of: account, app: app)
        case .revokeSessions(let account): return ["openSessions": .integer(try rows.openSessions(of: account))]
        case .setRecoveryCode(let account, let digest):
            return ["recoveryCode": .string(try rows.isRecoveryCode(digest, of: account) ? "new" : "present")]
        case .retryReceipt(let id): return ["retryAt": .dateIfAny(try rows.listedReceipt(id)?.facts.retryAt)]
        }
    }

    /// The owner, and the credits of the account that is to have it.
    private func state(of key: OriginalTransaction.Key, for account: AccountID) throws -> [String: JSONValue] {
        let original = try rows.originalTransactions([key])[key]
        let balances = try rows.balances(of: account, in: Scope(app: key.app, environment: key.environment))
        return [
            "owner": original.map { .string($0.owner.text) } ?? .null,
            "basis": original.map { .string($0.basis.rawValue) } ?? .null,
            "balances": .object(balances.auditContent),
        ]
    }

    private func sandbox(of account: AccountID, app: BundleID?) throws -> [String: JSONValue] {
        let scopes = try sandboxScopes(of: account, app: app)
        return [
            "sandboxes": .array(
                try scopes.map { scope in
                    .object([
                        "app": .string(scope.app.text), "environment": .string(scope.environment.rawValue),
                        "originalTransactions": .integer(try rows.originalTransactions(of: account, in: scope).count),
                        "balances": .object(try rows.balances(of: account, in: scope).auditContent),
                    ])
                })
        ]
    }
}

extension JSONValue {
    fileprivate static func dateIfAny(_ date: Date?) -> JSONValue { date.map { .date($0) } ?? .null }
}
