import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    func refunds(of account: AccountID, in scope: Scope) throws -> [AppliedRefund] {
        try all(
            "SELECT * FROM refunds WHERE account = ? AND app = ? AND environment = ?",
            [account.text, scope.app, scope.environment.rawValue]
        ).map(AppliedRefund.init)
    }

    func refunds(of account: AccountID, in scope: Scope, among ids: Set<TransactionID>) throws -> [AppliedRefund] {
        try all(of: ids, Self.refundsOfPurchases, [account.text, scope.app, scope.environment.rawValue])
            .map(AppliedRefund.init)
    }

    private static let refundsOfPurchases = KeyedSelection<TransactionID> { dialect in
        """
        SELECT refunds.* FROM keys \(dialect.orderedJoin) refunds USING (id)
        WHERE account = ? AND app = ? AND environment = ?
        """
    }

    func refunds(of account: AccountID) throws -> [AppliedRefund] {
        try all("SELECT * FROM refunds WHERE account = ?", [account.text]).map(AppliedRefund.init)
    }

    func write(_ refund: AppliedRefund) throws {
        let key = refund.key
        try send(
            """
            INSERT INTO refunds (account, app, environment, id, currency, product, amount, forgiven)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, id, currency) DO UPDATE SET
                product = excluded.product, amount = excluded.amount, forgiven = excluded.forgiven
            """,
            [
                key.account.text, key.scope.app, key.scope.environment.rawValue, key.transaction, key.currency,
                refund.product, refund.amount, refund.forgiven,
            ])
    }
}

extension AppliedRefund {
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            key: Key(
                account: row.account("account"), scope: row.scope(), transaction: row["id"], currency: row["currency"]),
            product: row["product"], amount: row["amount"], forgiven: row["forgiven"])
    }
}
