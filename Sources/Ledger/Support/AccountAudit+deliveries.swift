import InAppPurchase

extension AccountAudit {
    /// The purchases without a recorded delivery that give access without end by themselves: those were delivered to
    /// the first owner when they were recorded.
    ///
    /// Services, which earlier versions called consumed, and did not deliver, are left out.
    ///
    /// For other purchases the facts of today do not tell what was granted at the time: access ends, the sandbox is
    /// opened and closed, and an original transaction that is transferred brings only the transactions that the new
    /// owner presented.
    var missingDeliveries: [LedgerDifference] {
        let unmoved = Set(originalTransactions.filter(\.transfers.isEmpty).map(\.key))
        let byOriginal = Dictionary(grouping: state.records, by: \.transaction.originalTransactionKey)
        return state.records.compactMap { record in
            let transaction = record.transaction
            guard record.owner == state.account, !record.isService,
                unmoved.contains(transaction.originalTransactionKey),
                byOriginal[transaction.originalTransactionKey]?.count == 1, transaction.environment == .production,
                grantsForEver(record), let key = record.purchaseKey, !delivered.contains(key)
            else { return nil }
            return LedgerDifference(
                account: state.account, scope: record.scope, "delivery of transaction \(transaction.id)",
                stored: "none", folded: "one")
        }
    }

    private func grantsForEver(_ record: RecordedTransaction) -> Bool {
        let alone = AccountState(
            account: state.account, records: [record], renewals: state.renewals, context: state.context)
        return [state, alone].allSatisfy { $0.access(by: record) == .granted(until: nil) }
    }

    /// The original transactions whose owner is not the recipient of the last transfer, or whose transfers do not each
    /// begin with the recipient of the one before.
    var wrongOwners: [LedgerDifference] {
        originalTransactions.flatMap { original in
            zip(original.transfers.map(\.to), original.transfers.dropFirst().map(\.from) + [original.owner])
                .filter { $0 != $1 }
                .map { end, next in
                    LedgerDifference(
                        account: state.account,
                        scope: Scope(app: original.key.app, environment: original.key.environment),
                        "owner of original transaction \(original.key.originalID)", stored: next.text, folded: end.text)
                }
        }
    }

    var wrongReceipts: [LedgerDifference] {
        receipts.flatMap { receipt in
            receipt.mistakes.map { stored, folded in
                LedgerDifference(account: state.account, "receipt \(receipt.id)", stored: stored, folded: folded)
            }
        }
    }
}

extension AccountAudit.ReceiptSummary {
    /// The contradictions between the receipt's status and its other columns.
    fileprivate var mistakes: [(stored: String, folded: String)] {
        let status = status.rawValue
        let rules: [(isBroken: Bool, stored: String, folded: String)] = [
            (self.status == .pending && !isDue, "pending and never asked about", "pending and due"),
            (self.status != .pending && !isAnswered, "\(status) without an answer", "answered"),
            (
                (self.status == .rejected) != isRejected, "\(status) \(isRejected ? "with" : "without") a reason",
                "a reason where rejected"
            ),
            (self.status == .rejected && transactions > 0, "rejected with \(transactions) transactions", "none"),
            (self.status == .conflict && transactions == 0, "conflict without transactions", "some"),
            (unknown > 0, "\(unknown) of \(transactions) transactions not recorded", "all"),
        ]
        return rules.filter(\.isBroken).map { ($0.stored, $0.folded) }
    }
}
