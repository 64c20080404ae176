package import InAppPurchase

extension ReceiptRecorder {
    /// Removes the transactions that a sandbox reset forgot from what the App Store reports without a client: only a
    /// client that presents a purchase again restores it.
    package func withoutForgotten(_ verified: VerifiedReceipt) throws -> VerifiedReceipt {
        let originals = try rows.forgottenOriginalTransactions(
            among: Set(verified.transactions.map(\.originalTransactionKey)))
        let transactions = try rows.forgottenTransactions(among: Set(verified.transactions.map(\.key)))
        var remembered = verified
        remembered.transactions.removeAll {
            originals.contains($0.originalTransactionKey) || transactions.contains($0.key)
        }
        return remembered
    }
}
