package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func isEmpty() async throws -> Bool {
        try await read {
            // An admin token may be created before the first start, and does not prove that there are accounts.
            try $0.one(
                "SELECT 1 FROM accounts UNION ALL SELECT 1 FROM audit WHERE account IS NOT NULL LIMIT 1", []) == nil
        }
    }

    package func createAccount(_ new: NewAccount) async throws -> AccountID {
        try await write { rows in
            if let key = new.idempotencyKey, let known = try rows.accountKey(key, at: new.date) {
                try rows.reissue(known, to: new)
                return known.account
            }
            try rows.send(
                "INSERT INTO accounts (id, recoveryCode, createdAt) VALUES (?, ?, ?)",
                [new.account.text, new.recoveryCode, new.date.milliseconds])
            try rows.append(AuditEntry(.accountCreated, account: new.account, at: new.date))
            try rows.open(new.token, of: new.account, at: new.date)
            if let key = new.idempotencyKey { try rows.insert(AccountKey(key, of: new.account, at: new.date)) }
            return new.account
        }
    }

    package func account(forToken token: Data) async throws -> AccountID? {
        try await database.select(Self.openSession, [token]).first?.admittedAccount("account")
    }

    private static let openSession = SQLStatement(
        constant:
            "SELECT account, blockedAt FROM sessions JOIN accounts ON id = account WHERE token = ? AND closedAt IS NULL"
    )

    package func account(forRecoveryCode recoveryCode: Data) async throws -> AccountID? {
        try await database.select(Self.codeOwner, [recoveryCode]).first?.admittedAccount("id")
    }

    private static let codeOwner = SQLStatement(constant: "SELECT id, blockedAt FROM accounts WHERE recoveryCode = ?")

    package func openSession(recoveryCode: Data, token: Data, at date: Date) async throws -> AccountID? {
        try await write { rows in
            guard let account = try rows.one(Self.codeOwner, [recoveryCode])?.admittedAccount("id") else { return nil }
            try rows.open(token, of: account, at: date)
            return account
        }
    }

    package func closeSession(token: Data, at date: Date) async throws {
        try await write { rows in
            let row = try rows.one("SELECT account FROM sessions WHERE token = ? AND closedAt IS NULL", [token])
            guard let account = try row?.account("account") else { return }
            try rows.send("UPDATE sessions SET closedAt = ? WHERE token = ?", [date.milliseconds, token])
            try rows.append(AuditEntry(.sessionClosed, account: account, at: date))
        }
    }
}

extension LedgerRows {
    fileprivate func open(_ token: Data, of account: AccountID, at date: Date) throws {
        try send(
            "INSERT INTO sessions (token, account, openedAt) VALUES (?, ?, ?)",
            [token, account.text, date.milliseconds])
        try append(AuditEntry(.sessionOpened, account: account, at: date))
    }
}

extension SQLRow {
    /// - Throws: ``/Ledger/LedgerRefusal/accountBlocked(_:)`` by the column `blockedAt`.
    func admittedAccount(_ column: String) throws -> AccountID {
        let account = try account(column)
        guard try dateIfAny("blockedAt") == nil else { throw LedgerRefusal.accountBlocked(account) }
        return account
    }
}

// MARK: Admin tokens

extension SQLLedger {
    package func createAdminToken(_ token: AdminToken, digest: Data, by actor: AuditActor) async throws {
        try await write { rows in
            let known = try rows.one("SELECT 1 FROM adminTokens WHERE name = ? AND revokedAt IS NULL", [token.name])
            guard known == nil else { throw LedgerRefusal.nameTaken }
            try rows.send(
                "INSERT INTO adminTokens (token, name, role, apps, createdAt) VALUES (?, ?, ?, ?, ?)",
                [digest, token.name, token.role.rawValue, token.reach.stored, token.createdAt.milliseconds])
            try rows.append(
                AuditEntry(
                    .adminTokenCreated, by: actor, subject: token.name, content: token.auditContent,
                    at: token.createdAt))
        }
    }

    package func adminToken(digest: Data) async throws -> AdminToken? {
        try await read {
            try $0.one("SELECT * FROM adminTokens WHERE token = ? AND revokedAt IS NULL", [digest])
                .map(AdminToken.init)
        }
    }

    package func adminToken(named name: String) async throws -> AdminToken? {
        try await read {
            try $0.one("SELECT * FROM adminTokens WHERE name = ? AND revokedAt IS NULL", [name]).map(AdminToken.init)
        }
    }

    package func adminTokens() async throws -> [AdminToken] {
        try await read { try $0.all("SELECT * FROM adminTokens ORDER BY createdAt, name", []).map(AdminToken.init) }
    }

    package func revokeAdminToken(named name: String, by actor: AuditActor, at date: Date) async throws -> Bool {
        try await write { rows in
            let revoked = try rows.one(
                "UPDATE adminTokens SET revokedAt = ? WHERE name = ? AND revokedAt IS NULL RETURNING name",
                [date.milliseconds, name])
            guard revoked != nil else { return false }
            try rows.append(AuditEntry(.adminTokenRevoked, by: actor, subject: name, at: date))
            return true
        }
    }
}

extension AdminToken {
    fileprivate init(_ row: SQLRow) throws {
        guard let role = Role(rawValue: try row["role"]) else {
            throw LedgerUnavailable("unknown role of an admin token")
        }
        try self.init(
            name: row["name"], role: role, reach: AdminReach(stored: row["apps"]), createdAt: row.date("createdAt"),
            revokedAt: row.dateIfAny("revokedAt"))
    }

    /// The role, and the apps if it is for some only.
    fileprivate var auditContent: [String: JSONValue] {
        var content: [String: JSONValue] = ["role": .string(role.rawValue)]
        content["apps"] = reach.apps.map { .array($0.map { .string($0.text) }) }
        return content
    }
}

extension AdminReach {
    /// The apps, a line each: identifiers have no control characters. `nil` for everything.
    fileprivate var stored: String? { apps?.map(\.text).joined(separator: "\n") }

    /// - Parameter stored: as ``stored``. A string without any app is for none.
    fileprivate init(stored: String?) {
        guard let stored else {
            self = .everything
            return
        }
        self = .apps(Set(stored.split(separator: "\n").map { BundleID(stored: String($0)) }))
    }
}

extension SQLLedger {
    package func entitlements(
        of account: AccountID, in context: RecordingContext
    ) async throws -> [ProductEntitlement] {
        try await read { try ReceiptRecorder($0, context).entitlements(of: account) }
    }

    package func balances(of account: AccountID, scope: Scope, in context: RecordingContext) async throws -> Credits {
        try await read { try $0.visibleBalances(of: account, in: scope, context) }
    }

    package func spend(_ spend: Spend, in context: RecordingContext) async throws -> Int {
        try await write { try $0.spend(spend, in: context) }
    }

    package func recordStartingCredits(in context: RecordingContext) async throws {
        try await write { try $0.recordStartingCredits(in: context) }
    }

    package func giveStartingCredits(to account: AccountID, in scope: Scope, _ context: RecordingContext) async throws {
        try await write { try $0.giveStartingCredits(to: account, in: scope, context) }
    }

    package func bindTerms(in context: RecordingContext) async throws -> Int {
        try await write { try ReceiptRecorder($0, context).bindTerms() }
    }

    package func offerEligibility(
        of account: AccountID, for product: Product, in scope: Scope, _ context: RecordingContext
    ) async throws -> OfferEligibility {
        try await read { rows in
            let state = try ReceiptRecorder(rows, context).state(of: account)
            let shown = try rows.customer(
                of: account, in: scope, since: context.date - OfferEligibility.customerLifetime)
            let customers = [shown, state.subscriber(of: product, in: scope)?.details?.appTransactionID]
            return state.offerEligibility(
                for: product, in: scope, shown: shown,
                try rows.offerPeriods(of: Set(customers.compactMap(\.self)), in: scope))
        }
    }
}

// MARK: Provisional access

extension SQLLedger {
    package func openProvisionally(
        _ receipt: Receipt, _ verified: VerifiedReceipt, in context: RecordingContext
    ) async throws -> Date? {
        try await write { rows in
            guard let row = try rows.receipt(id: receipt.id, of: receipt.account), row.status == .pending,
                !row.wasAnswered
            else { return nil }
            return try ReceiptRecorder(rows, context).openProvisionally(
                verified, for: row.receipt.account, receipt: row.receipt.id, since: row.recordedAt)
        }
    }
}

extension LedgerRows {
    func provisionalPurchases(of account: AccountID, since date: Date) throws -> [ProvisionalPurchase] {
        // Fixed join order: an account has few of these, and the ledger may have many receipts.
        let join = db.dialect.orderedJoin
        return try all(
            """
            SELECT p.*, r.recordedAt, m.product AS termsProduct
            FROM provisionalPurchases p \(join) receipts r ON r.id = p.receipt \(join) terms m ON m.hash = p.terms
            WHERE p.account = ? AND r.recordedAt > ? AND r.status = 'pending' AND r.answeredAt IS NULL
            """, [account.text, date.milliseconds]
        ).compactMap { row in
            guard let terms = try product(of: row) else { return nil }
            return try ProvisionalPurchase(
                account: account, receipt: row["receipt"], transaction: facts.decode(row["facts"]), terms: terms,
                since: row.date("recordedAt"))
        }
    }

    func write(_ purchase: ProvisionalPurchase) throws -> Bool {
        try one(
            """
            INSERT INTO provisionalPurchases (app, environment, id, account, receipt, facts, terms)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id
            """,
            [
                purchase.key.app, purchase.key.environment.rawValue, purchase.key.id, purchase.account.text,
                purchase.receipt, facts.encode(purchase.transaction), try record(terms: purchase.terms),
            ]) != nil
    }
}
