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
}
