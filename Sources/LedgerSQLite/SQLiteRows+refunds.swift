import Foundation
import GRDB
import InAppPurchase

extension SQLiteRows {
    func refunds(of account: AccountID, in scope: Scope) throws -> [SettledRefund] {
        try all(
            "SELECT * FROM refunds WHERE account = ? AND app = ? AND environment = ?",
            [account.text, scope.app, scope.environment.rawValue]
        ).map(SettledRefund.init)
    }

    func refunds(of account: AccountID) throws -> [SettledRefund] {
        try all("SELECT * FROM refunds WHERE account = ?", [account.text]).map(SettledRefund.init)
    }

    func write(_ refund: SettledRefund) throws {
        let key = refund.key
        try run(
            """
            INSERT INTO refunds (account, app, environment, id, currency, product, amount, forgiven)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                product = excluded.product, amount = excluded.amount, forgiven = excluded.forgiven
            """,
            [
                key.account.text, key.scope.app, key.scope.environment.rawValue, key.transaction, key.currency,
                refund.product, refund.amount, refund.forgiven,
            ])
    }
}

extension SettledRefund {
    fileprivate init(_ row: Row) throws {
        self.init(
            key: Key(
                account: try row.account("account"), scope: try row.scope(), transaction: row["id"],
                currency: row["currency"]),
            product: row["product"], amount: row["amount"], forgiven: row["forgiven"])
    }
}
