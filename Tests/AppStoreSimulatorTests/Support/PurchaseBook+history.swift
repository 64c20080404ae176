import InAppPurchase

@testable import AppStoreSimulator

extension PurchaseBook {
    /// All transactions with the original ID of the one named, oldest first; empty if it is unknown.
    func history(of id: TransactionID) async throws -> [StoredPurchase] {
        let purchases = try await purchases(besides: id)
        let original = purchases.first { $0.transaction.id == id }?.transaction.originalID
        return purchases.filter { $0.transaction.originalID == original }.sorted { $0.number < $1.number }
    }
}
