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
        case .setBlocked, .setTester, .setBeta, .setExternalID, .addNote, .removeNote, .revokeSessions,
            .setRecoveryCode:
            nil
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

    package func account(withExternalID id: ExternalID) async throws -> AccountFacts? {
        try await read { try $0.account(withExternalID: id) }
    }

    package func setExternalID(_ id: ExternalID?, of account: AccountID, _ act: SupportAct) async throws {
        try await write { try SupportRecorder($0, act).setExternalID(id, of: account) }
    }

    package func addNote(_ id: String, to account: AccountID, _ act: SupportAct) async throws -> AccountNote {
        try await write { try SupportRecorder($0, act).addNote(id, to: account) }
    }

    package func removeNote(_ id: String, of account: AccountID, _ act: SupportAct) async throws {
        try await write { try SupportRecorder($0, act).removeNote(id, of: account) }
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
        try one("SELECT \(AccountFacts.columns) FROM accounts WHERE id = ?", [id.text]).map(AccountFacts.init)
    }

    func account(withExternalID id: ExternalID) throws -> AccountFacts? {
        try one("SELECT \(AccountFacts.columns) FROM accounts WHERE externalID = ?", [id.text]).map(AccountFacts.init)
    }

    func setExternalID(_ id: ExternalID?, of account: AccountID) throws {
        try send("UPDATE accounts SET externalID = ? WHERE id = ?", [id?.text, account.text])
    }

    func notes(of account: AccountID) throws -> [AccountNote] {
        let notes = try all("SELECT id, content, actor, writtenAt FROM accountNotes WHERE account = ?", [account.text])
            .map { row in
                try AccountNote(
                    id: row["id"], text: row["content"], actor: row["actor"], date: row.date("writtenAt"))
            }
        return notes.sorted { ($0.date, $0.id) > ($1.date, $1.id) }
    }

    func write(_ note: AccountNote, of account: AccountID) throws {
        try send(
            "INSERT INTO accountNotes (account, id, content, actor, writtenAt) VALUES (?, ?, ?, ?, ?)",
            [account.text, note.id, note.text, note.actor, note.date.milliseconds])
    }

    func removeNote(_ id: String, of account: AccountID) throws {
        try send("DELETE FROM accountNotes WHERE account = ? AND id = ?", [account.text, id])
    }

    func newestAccounts(before date: Int, _ id: String, _ limit: Int) throws -> [AccountFacts] {
        try all(
            """
            SELECT \(AccountFacts.columns) FROM accounts
            WHERE (createdAt, id) < (?, ?) ORDER BY createdAt DESC, id DESC LIMIT ?
            """, [date, id, limit]
        ).map(AccountFacts.init)
    }

    /// A range of the primary key: nothing in a UUID sorts after "f".
    func accounts(beginning prefix: AccountPrefix, _ limit: Int) throws -> [AccountFacts] {
        try all(
            """
            SELECT \(AccountFacts.columns) FROM accounts
            WHERE id >= ? AND id < ? ORDER BY id LIMIT ?
            """, [prefix.text, prefix.text + "g", limit]
        ).map(AccountFacts.init)
    }

    func testers(before date: Int, _ id: String, _ limit: Int) throws -> [AccountFacts] {
        try all(
            """
            SELECT \(AccountFacts.columns) FROM accounts
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
    fileprivate static let columns = "id, createdAt, blockedAt, testerSince, betaSince, externalID"

    /// - Parameter row: one of accounts, with ``columns``.
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            account: try row.account("id"), createdAt: try row.date("createdAt"),
            blockedAt: try row.dateIfAny("blockedAt"), testerSince: try row.dateIfAny("testerSince"),
            betaSince: try row.dateIfAny("betaSince"),
            externalID: (try row["externalID"] as String?).flatMap(ExternalID.init))
    }
}

extension SQLLedger {
    package func purchases(named name: PurchaseName) async throws -> FoundPurchases? {
        try await read { rows in
            guard let keys = try rows.originalTransactionKeys(named: name) else { return nil }
            let originals = try rows.originalTransactionsWithAllTransfers(keys)
            let others = keys.filter { originals[$0] == nil }.sorted { $0.order < $1.order }
            return FoundPurchases(
                originals: originals.values.sorted { $0.key.order < $1.key.order },
                unclaimed: try others.compactMap { try rows.unclaimedPurchase($0) })
        }
    }

    package func newestTransaction(of original: OriginalTransaction.Key) async throws -> RecordedTransaction? {
        try await read { rows in
            let newest = try rows.newestTransactions(ofOriginals: [original]).max { $0.recency < $1.recency }
            if let newest { return newest }
            let first = Transaction.Key(app: original.app, environment: original.environment, id: original.originalID)
            return try rows.transactions([first]).first
        }
    }
}

extension LedgerRows {
    /// The keys that the name may stand for; `nil` for an order that no transaction is recorded with.
    fileprivate func originalTransactionKeys(named name: PurchaseName) throws -> Set<OriginalTransaction.Key>? {
        switch name {
        case .order(let orderID): return try originalTransactions(ofOrder: orderID)
        case .originalTransaction(let id): return Set(try scopes(of: id).map { $0.original(id) })
        case .transaction(let id):
            var keys: Set<OriginalTransaction.Key> = []
            for scope in try scopes(of: id) {
                let key = Transaction.Key(app: scope.app, environment: scope.environment, id: id)
                keys.formUnion(try ([id] + originalIDs(of: key)).map(scope.original))
            }
            return keys
        }
    }

    /// The original transactions of an order's recorded transactions, of those without an owner too; `nil` if none is
    /// recorded.
    private func originalTransactions(ofOrder orderID: String) throws -> Set<OriginalTransaction.Key>? {
        let keys = try all("SELECT app, environment, id FROM orderTransactions WHERE orderID = ?", [orderID])
            .map { try $0.transactionKey() }
        guard !keys.isEmpty else { return nil }
        return try keys.reduce(into: []) { originals, key in
            let scope = Scope(app: key.app, environment: key.environment)
            originals.formUnion(try originalIDs(of: key).map(scope.original))
        }
    }

    /// The original ID of a transaction, by its record or as it waits for an owner.
    private func originalIDs(of key: Transaction.Key) throws -> [TransactionID] {
        try all(
            """
            SELECT originalID FROM transactions
            WHERE app = ?1 AND environment = ?2 AND id = ?3 AND forgottenAt IS NULL
            UNION SELECT originalID FROM unclaimedTransactions WHERE app = ?1 AND environment = ?2 AND id = ?3
            """, [key.app, key.environment.rawValue, key.id]
        ).map { try $0["originalID"] }
    }

    /// The apps and environments in which there may be a transaction, or an original transaction, of this ID: in SQLite
    /// all that anything is recorded of, since the keys there begin with the app, and otherwise with the ID.
    private func scopes(of id: TransactionID) throws -> [Scope] {
        guard db.dialect == .postgres else { return try scopes() }
        return try all(
            """
            SELECT app, environment FROM lines WHERE originalID = ?1
            UNION SELECT app, environment FROM transactions WHERE id = ?1
            UNION SELECT app, environment FROM unclaimedTransactions WHERE id = ?1
            UNION SELECT app, environment FROM unclaimedTransactions WHERE originalID = ?1
            """, [id]
        ).map { try $0.scope() }
    }

    /// The apps of everything recorded, in every environment.
    private func scopes() throws -> [Scope] {
        let apps = Set(try apps(in: "lines") + apps(in: "unclaimedTransactions"))
        return apps.flatMap { app in Environment.known.map { Scope(app: app, environment: $0) } }
    }

    /// The apps of a table, each found by one index step (a loose index scan).
    private func apps(in table: String) throws -> [BundleID] {
        var apps: [BundleID] = []
        while let app: BundleID = try one("SELECT min(app) AS app FROM \(table) WHERE app > ?", [apps.last ?? ""])?[
            "app"]
        {
            apps.append(app)
        }
        return apps
    }

    /// The transactions that wait for an owner of the original transaction; `nil` if there are none, or if it has, or
    /// had, an owner.
    fileprivate func unclaimedPurchase(_ key: OriginalTransaction.Key) throws -> UnclaimedPurchase? {
        let limit = UnclaimedPurchase.maximumTransactions
        let found = try all(
            """
            SELECT facts FROM unclaimedTransactions u \(db.dialect.using(index: "unclaimedLine"))
            WHERE app = ? AND environment = ? AND originalID = ? AND NOT EXISTS (
                SELECT 1 FROM lines l
                WHERE l.app = u.app AND l.environment = u.environment AND l.originalID = u.originalID)
            ORDER BY purchasedAt DESC, id DESC LIMIT \(limit + 1)
            """, key.arguments
        ).map { try facts.decode($0["facts"]) }
        guard !found.isEmpty else { return nil }
        let first = try one(
            """
            SELECT min(purchasedAt) AS since FROM unclaimedTransactions u \(db.dialect.using(index: "unclaimedLine"))
            WHERE app = ? AND environment = ? AND originalID = ?
            """, key.arguments)
        return try first.map {
            try UnclaimedPurchase(key: key, transactions: Newest(found, limit: limit), since: $0.date("since"))
        }
    }
}

extension OriginalTransaction.Key {
    /// The order by app, environment and ID.
    var order: (BundleID, String, TransactionID) { (app, environment.rawValue, originalID) }
}
