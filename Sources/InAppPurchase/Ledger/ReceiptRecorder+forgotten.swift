extension ReceiptRecorder {
    /// What the store tells by itself, without what a sandbox reset made this server forget: only somebody who presents
    /// a purchase again brings it back.
    public func withoutForgotten(_ verified: VerifiedReceipt) throws -> VerifiedReceipt {
        let lines = try rows.forgottenLines(among: Set(verified.transactions.map(\.lineKey)))
        let transactions = try rows.forgottenTransactions(among: Set(verified.transactions.map(\.key)))
        var remembered = verified
        remembered.transactions.removeAll { lines.contains($0.lineKey) || transactions.contains($0.key) }
        return remembered
    }
}
