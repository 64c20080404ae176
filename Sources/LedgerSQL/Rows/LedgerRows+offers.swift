import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// Writes whose period it is, if it was bought with an offer; periods at the usual price use up nothing.
    func writeOfferPeriod(_ transaction: Transaction) throws {
        guard transaction.hasOffer, let customer = transaction.details?.appTransactionID else { return }
        try send(
            """
            INSERT INTO offerPeriods (appTransactionID, app, environment, id) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, [customer, transaction.app, transaction.environment.rawValue, transaction.id])
    }

    /// The periods that the customers bought with an offer, whoever owns them; without those that a sandbox reset
    /// forgot.
    func offerPeriods(of customers: Set<String>, in scope: Scope) throws -> [OfferPeriod] {
        let keys = try customers.flatMap { customer in
            try all(
                """
                SELECT app, environment, id FROM offerPeriods
                WHERE appTransactionID = ? AND app = ? AND environment = ? ORDER BY id DESC LIMIT ?
                """, [customer, scope.app, scope.environment.rawValue, OfferPeriod.maximumOfCustomer]
            ).map { try $0.transactionKey() }
        }
        let recorded = try transactions(Set(keys)).map { OfferPeriod(transaction: $0.transaction, terms: $0.terms) }
        let unclaimed = try all(of: Set(keys), Self.unclaimedByKey).map { row in
            try OfferPeriod(transaction: facts.decode(row["facts"]), terms: product(of: row))
        }
        return recorded + unclaimed
    }

    private static let unclaimedByKey = KeyedSelection<Transaction.Key> { dialect in
        """
        SELECT u.facts, u.terms, m.product AS termsProduct
        FROM keys \(dialect.orderedJoin) unclaimedTransactions u USING (app, environment, id)
        LEFT JOIN terms m ON m.hash = u.terms
        WHERE NOT EXISTS (
            SELECT 1 FROM transactions t WHERE t.app = keys.app AND t.environment = keys.environment AND t.id = keys.id)
        """
    }

    /// The ID of the customer's app transaction in the newest signed data that the account showed since the date;
    /// `nil` if it showed none.
    func customer(of account: AccountID, in scope: Scope, since date: Date) throws -> String? {
        let app = try one(
            """
            SELECT id, signedAt FROM appTransactions
            WHERE account = ? AND app = ? AND environment = ? AND id <> '' AND coalesce(lastShownAt, shownAt) >= ?
            ORDER BY signedAt DESC LIMIT 1
            """, [account.text, scope.app, scope.environment.rawValue, date.milliseconds])
        let shown = try newestCustomer(among: try shownTransactions(by: account, in: scope, since: date))
        guard let app else { return shown?.id }
        if let shown, try shown.signedAt > app["signedAt"] { return shown.id }
        return try app["id"]
    }

    private func newestCustomer(
        among shown: [(key: Transaction.Key, signedAt: Int)]
    ) throws -> (id: String, signedAt: Int)? {
        let customers = try transactions(Set(shown.map(\.key))).reduce(into: [:]) { known, record in
            known[record.transaction.key] = record.transaction.details?.appTransactionID
        }
        return shown.lazy.compactMap { shown in customers[shown.key].map { ($0, shown.signedAt) } }.first
    }

    /// The signed transactions that the account sent since the date, the newest signature first.
    private func shownTransactions(
        by account: AccountID, in scope: Scope, since date: Date
    ) throws -> [(key: Transaction.Key, signedAt: Int)] {
        try all(
            """
            SELECT c.app, c.environment, c.id, c.signedAt
            FROM (
                SELECT id FROM receipts \(db.dialect.using(index: "receiptsAccount"))
                WHERE account = ? AND recordedAt >= ? AND kind = ? ORDER BY recordedAt DESC LIMIT ?
            ) found \(db.dialect.orderedJoin) receiptTransactions c ON c.receipt = found.id
            WHERE c.app = ? AND c.environment = ? ORDER BY c.signedAt DESC
            """,
            [
                account.text, date.milliseconds, Receipt.Kind.signedTransaction.rawValue,
                OfferPeriod.maximumShown, scope.app, scope.environment.rawValue,
            ]
        ).map { row in (try row.transactionKey(), try row["signedAt"]) }
    }
}
