package import InAppPurchase

extension ReceiptRecorder {
    /// What the store tells by itself, without what a sandbox reset made this server forget: only somebody who presents
    /// a purchase again brings it back.
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
