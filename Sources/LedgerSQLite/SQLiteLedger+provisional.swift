public import Foundation
import GRDB
public import InAppPurchase

extension SQLiteLedger {
    public func openProvisionally(
        _ receipt: Receipt, _ verified: VerifiedReceipt, in context: DecisionContext
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

extension SQLiteRows {
    func provisionalPurchases(of account: AccountID, since date: Date) throws -> [ProvisionalPurchase] {
        // CROSS JOIN keeps the order of the tables: an account has few of these, and the ledger may have many receipts.
        try all(
            """
            SELECT p.*, r.recordedAt, m.product AS termsProduct
            FROM provisionalPurchases p CROSS JOIN receipts r ON r.id = p.receipt CROSS JOIN terms m ON m.hash = p.terms
            WHERE p.account = ? AND r.recordedAt > ? AND r.status = 'pending' AND r.answeredAt IS NULL
            """, [account.text, date.milliseconds]
        ).compactMap { row in
            guard let terms = product(of: row) else { return nil }
            return ProvisionalPurchase(
                account: account, receipt: row["receipt"], transaction: try facts.decode(row["facts"]), terms: terms,
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
                purchase.receipt, try facts.encode(purchase.transaction), try record(terms: purchase.terms),
            ]) != nil
    }
}
