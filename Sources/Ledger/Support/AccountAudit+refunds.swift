import InAppPurchase

extension AccountAudit {
    /// The applied refunds whose amount is not what the purchase's revocation takes, or whose forgiven part was not
    /// posted; and forgiveness that was posted without a refund.
    var wrongRefunds: [LedgerDifference] {
        let scopes = Set(state.records.map(\.scope))
        let standing = Dictionary(
            scopes.flatMap { state.standingRefunds(in: $0) }.map { ($0.refund.key, $0.refund.amount) }
        ) { first, _ in first }
        var postings = forgivenByPostings
        let wrong = refunds.sorted { $0.key.order < $1.key.order }.flatMap { refund in
            [
                difference(
                    "deducted by the refund", refund.key, stored: refund.amount,
                    standing[refund.key] ?? 0),
                difference(
                    "forgiven of the refund", refund.key, stored: refund.forgiven,
                    postings.removeValue(forKey: refund.key) ?? 0),
            ]
        }
        let unknown = postings.sorted { $0.key.order < $1.key.order }
            .map { difference("forgiven of the refund", $0.key, stored: 0, $0.value) }
        return (wrong + unknown).compactMap { $0 }
    }

    private var forgivenByPostings: [AppliedRefund.Key: Int] {
        postings.reduce(into: [:]) { sums, entry in
            guard entry.kind == Posting.Kind.forgiveness.rawValue else { return }
            let key = AppliedRefund.Key(
                account: state.account, scope: entry.balanceKey.scope,
                transaction: TransactionID(stored: entry.cause ?? ""), currency: entry.balanceKey.currency)
            sums[key] = (sums[key] ?? 0).saturatingAdding(entry.amount)
        }
    }

    private func difference(
        _ what: String, _ key: AppliedRefund.Key, stored: Int, _ folded: Int
    ) -> LedgerDifference? {
        stored == folded
            ? nil
            : LedgerDifference(
                account: state.account, scope: key.scope, "\(key.currency) \(what) of transaction \(key.transaction)",
                stored: String(stored), folded: String(folded))
    }
}
