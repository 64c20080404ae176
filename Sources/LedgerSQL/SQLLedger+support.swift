package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func app(of request: SupportRequest) async throws -> BundleID? {
        switch request {
        case .transfer(let original, _), .undoTransfer(let original): original.app
        case .adjust(let adjustment): adjustment.scope.app
        case .grant(let grant): grant.scope.app
        case .revokeGrant(let id, let account): try await read { try $0.grant(id, of: account)?.grant.scope.app }
        case .resetSandbox(_, let app): app
        case .retryReceipt(let id): try await read { try $0.listedReceipt(id)?.facts.app }
        case .setBlocked, .setTester, .setBeta, .revokeSessions, .setRecoveryCode: nil
        }
    }

    package func preview(
        _ request: SupportRequest, _ act: SupportAct, in context: RecordingContext
    ) async throws -> SupportChange {
        try await rollingBack { try SupportRecorder($0, act).change(by: request, in: context) }
    }

    package func transfer(
        _ original: OriginalTransaction.Key, to account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction {
        try await write { try SupportRecorder($0, act).transfer(original, to: account, in: context) }
    }

    package func undoTransfer(
        of original: OriginalTransaction.Key, _ act: SupportAct, in context: RecordingContext
    ) async throws -> OriginalTransaction {
        try await write { try SupportRecorder($0, act).undoTransfer(of: original, in: context) }
    }

    package func setRecoveryCode(of account: AccountID, digest: Data, _ act: SupportAct) async throws {
        try await write { try SupportRecorder($0, act).setRecoveryCode(of: account, digest: digest) }
    }

    package func retryReceipt(_ id: String, _ act: SupportAct) async throws -> ReceiptFacts {
        try await write { try SupportRecorder($0, act).retryReceipt(id) }
    }

    package func adjust(_ adjustment: Adjustment, _ act: SupportAct, in context: RecordingContext) async throws -> Int {
        try await write { try SupportRecorder($0, act).adjust(adjustment, in: context) }
    }

    package func grant(
        _ grant: ProductGrant, _ act: SupportAct, in context: RecordingContext
    ) async throws -> ProductGrant {
        try await write { try SupportRecorder($0, act).grant(grant, in: context) }
    }

    package func revokeGrant(
        _ id: String, of account: AccountID, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Date {
        try await write { try SupportRecorder($0, act).revokeGrant(id, of: account, in: context) }
    }

    package func block(_ account: AccountID, _ act: SupportAct) async throws -> Date {
        try await write { try SupportRecorder($0, act).block(account) }
    }

    package func unblock(_ account: AccountID, _ act: SupportAct) async throws {
        try await write { try SupportRecorder($0, act).unblock(account) }
    }

    package func addTester(_ account: AccountID, _ act: SupportAct) async throws -> Date {
        try await write { try SupportRecorder($0, act).addTester(account) }
    }

    package func removeTester(_ account: AccountID, _ act: SupportAct) async throws {
        try await write { try SupportRecorder($0, act).removeTester(account) }
    }

    package func addToBeta(_ account: AccountID, _ act: SupportAct) async throws -> Date {
        try await write { try SupportRecorder($0, act).addToBeta(account) }
    }

    package func removeFromBeta(_ account: AccountID, _ act: SupportAct) async throws {
        try await write { try SupportRecorder($0, act).removeFromBeta(account) }
    }

    package func isBeta(_ account: AccountID) async throws -> Bool {
        try await read { try $0.account(account)?.betaSince != nil }
    }

    package func resetSandbox(
        of account: AccountID, app: BundleID?, _ act: SupportAct, in context: RecordingContext
    ) async throws -> Int {
        try await write { try SupportRecorder($0, act).resetSandbox(of: account, app: app, in: context) }
    }

    package func revokeSessions(of account: AccountID, _ act: SupportAct) async throws -> Int {
        try await write { try SupportRecorder($0, act).revokeSessions(of: account) }
    }
}

extension LedgerRows: SupportRows {
    func account(_ id: AccountID) throws -> AccountFacts? {
        try one("SELECT createdAt, blockedAt, testerSince, betaSince FROM accounts WHERE id = ?", [id.text]).map {
            row in
            try AccountFacts(
                account: id, createdAt: row.date("createdAt"), blockedAt: row.dateIfAny("blockedAt"),
                testerSince: row.dateIfAny("testerSince"), betaSince: row.dateIfAny("betaSince"))
        }
    }

    func newestAccounts(before date: Int, _ id: String, _ limit: Int) throws -> [AccountFacts] {
        try all(
            """
            SELECT id, createdAt, blockedAt, testerSince, betaSince FROM accounts
            WHERE (createdAt, id) < (?, ?) ORDER BY createdAt DESC, id DESC LIMIT ?
            """, [date, id, limit]
        ).map(AccountFacts.init)
    }

    func testers(before date: Int, _ id: String, _ limit: Int) throws -> [AccountFacts] {
        try all(
            """
            SELECT id, createdAt, blockedAt, testerSince, betaSince FROM accounts
            WHERE testerSince IS NOT NULL AND (testerSince, id) < (?, ?)
            ORDER BY testerSince DESC, id DESC LIMIT ?
            """, [date, id, limit]
        ).map(AccountFacts.init)
    }

    func isTester(_ account: AccountID) throws -> Bool {
        try one("SELECT 1 FROM accounts WHERE id = ? AND testerSince IS NOT NULL", [account.text]) != nil
    }

    func setTester(_ account: AccountID, since date: Date?) throws {
        try send("UPDATE accounts SET testerSince = ? WHERE id = ?", [date?.milliseconds, account.text])
    }

    func setBeta(_ account: AccountID, since date: Date?) throws {
        try send("UPDATE accounts SET betaSince = ? WHERE id = ?", [date?.milliseconds, account.text])
    }

    func setBlocked(_ account: AccountID, since date: Date?) throws {
        try send("UPDATE accounts SET blockedAt = ? WHERE id = ?", [date?.milliseconds, account.text])
    }

    func openSessions(of account: AccountID) throws -> Int {
        let row = try one(
            "SELECT count(*) AS open FROM sessions WHERE account = ? AND closedAt IS NULL", [account.text])
        return try row?["open"] ?? 0
    }

    func setRecoveryCode(_ digest: Data, of account: AccountID) throws {
        try send("UPDATE accounts SET recoveryCode = ? WHERE id = ?", [digest, account.text])
    }

    func isRecoveryCode(_ digest: Data, of account: AccountID) throws -> Bool {
        try one("SELECT 1 FROM accounts WHERE id = ? AND recoveryCode = ?", [account.text, digest]) != nil
    }

    func listedReceipt(_ id: String) throws -> (account: AccountID, facts: ReceiptFacts)? {
        try one("SELECT account, \(ReceiptFacts.columns) FROM receipts WHERE id = ?", [id]).map { row in
            (try row.account("account"), try ReceiptFacts(row))
        }
    }

    func setRetry(ofReceipt id: String, at date: Date) throws {
        try send(
            "UPDATE receipts SET retryAt = ? WHERE id = ? AND status = 'pending' AND retryAt IS NOT NULL",
            [date.milliseconds, id])
    }

    func closeSessions(of account: AccountID, at date: Date) throws -> Int {
        try run(
            "UPDATE sessions SET closedAt = ? WHERE account = ? AND closedAt IS NULL",
            [date.milliseconds, account.text])
    }

    func adjustment(withKey key: String, of account: AccountID, in scope: Scope) throws -> RecordedAdjustment? {
        try one(
            "SELECT * FROM adjustments WHERE account = ? AND app = ? AND environment = ? AND idempotencyKey = ?",
            [account.text, scope.app, scope.environment.rawValue, key]
        ).map(RecordedAdjustment.init)
    }

    func write(_ recorded: RecordedAdjustment) throws {
        let adjustment = recorded.adjustment
        try send(
            """
            INSERT INTO adjustments
                (account, app, environment, idempotencyKey, currency, amount, balance, actor, reason, adjustedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                adjustment.account.text, adjustment.scope.app, adjustment.scope.environment.rawValue,
                adjustment.idempotencyKey, adjustment.currency, adjustment.amount, recorded.balance, recorded.actor,
                recorded.reason, recorded.date.milliseconds,
            ])
    }
}

extension RecordedAdjustment {
    init(_ row: SQLRow) throws {
        let adjustment = try Adjustment(
            account: row.account("account"), scope: row.scope(), currency: row["currency"],
            amount: row["amount"], idempotencyKey: row["idempotencyKey"])
        guard let adjustment else { throw LedgerUnavailable("an adjustment is beyond its bounds") }
        try self.init(
            adjustment: adjustment, balance: row["balance"], actor: row["actor"], reason: row["reason"],
            date: row.date("adjustedAt"))
    }
}

extension AccountFacts {
    /// - Parameter row: one of accounts, with its ID.
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            account: try row.account("id"), createdAt: try row.date("createdAt"),
            blockedAt: try row.dateIfAny("blockedAt"), testerSince: try row.dateIfAny("testerSince"),
            betaSince: try row.dateIfAny("betaSince"))
    }
}
