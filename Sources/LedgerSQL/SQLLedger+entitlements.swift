package import Foundation
package import InAppPurchase
package import Ledger

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
