import InAppPurchase
import Ledger

extension LedgerRows {
    /// Writes the order of a transaction, if a copy states one, so that it is found by it.
    func writeOrder(of transaction: Transaction) throws {
        guard let orderID = transaction.details?.orderID else { return }
        try send(
            """
            INSERT INTO orderTransactions (orderID, app, environment, id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, [orderID, transaction.app, transaction.environment.rawValue, transaction.id])
    }

    /// The original transactions of an order's recorded transactions; `nil` if none is recorded.
    func originalTransactions(ofOrder orderID: String) throws -> Set<OriginalTransaction.Key>? {
        let keys = try all("SELECT app, environment, id FROM orderTransactions WHERE orderID = ?", [orderID])
            .map { try $0.transactionKey() }
        guard !keys.isEmpty else { return nil }
        return Set(try transactions(Set(keys)).map(\.transaction.originalTransactionKey))
    }
}
