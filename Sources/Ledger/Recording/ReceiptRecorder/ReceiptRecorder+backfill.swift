package import InAppPurchase

extension ReceiptRecorder {
    /// Merges copies of transactions, and statements about renewals, into what is recorded of them already: nobody gets
    /// or loses a purchase by it. Credits that follow from the facts, as from the share of a refund, are posted. What
    /// is not recorded stays so. Idempotent.
    ///
    /// - Returns: the number of transactions and renewals that changed.
    package func fill(_ verified: VerifiedReceipt) throws -> Int {
        let originals = Set(verified.transactions.map(\.originalTransactionKey)).union(verified.renewals.keys)
        let facts = try withoutForgotten(verified).renamed(rows.joinedOriginals(among: originals))
        let copies = Dictionary(grouping: facts.transactions, by: \.key)
        let filled = try fillTransactions(copies)
        return try filled + fillUnclaimed(copies) + fillRenewals(facts.renewals)
    }

    private func fillTransactions(_ copies: [Transaction.Key: [Transaction]]) throws -> Int {
        let known = try rows.transactions(Set(copies.keys)).map { ($0.transaction.key, $0) }
        let recorded = Dictionary(known) { first, _ in first }
        let filled = recorded.values.compactMap { known in
            var record = known
            for copy in copies[known.transaction.key] ?? [] { record.transaction.merge(copy) }
            return record.transaction == known.transaction ? nil : record
        }
        let written = try write(filled, over: recorded)
        let consequential = filled.filter { record in
            recorded[record.transaction.key].map { record.mayEarnOtherwise(than: $0) } ?? true
        }
        let keys = Set(consequential.map(\.transaction.key))
        try deliver(written.filter { keys.contains($0.transaction.key) }, .operator)
        return filled.count
    }

    private func fillUnclaimed(_ copies: [Transaction.Key: [Transaction]]) throws -> Int {
        let originals = Set(copies.values.joined().map(\.originalTransactionKey))
        // What was claimed later is recorded as a transaction; its earlier row means nothing any more.
        let owned = try rows.originalTransactions(originals).keys
        var filled = 0
        for known in try rows.unclaimed(of: originals.subtracting(owned)) {
            var unclaimed = known
            for copy in copies[known.transaction.key] ?? [] { unclaimed.transaction.merge(copy) }
            guard unclaimed.transaction != known.transaction else { continue }
            try rows.write(unclaimed)
            filled += 1
        }
        return filled
    }

    private func fillRenewals(_ renewals: [OriginalTransaction.Key: RenewalFacts]) throws -> Int {
        var filled = 0
        for (original, known) in try rows.renewals(Set(renewals.keys)) {
            guard let stated = renewals[original] else { continue }
            var merged = known
            merged.merge(stated)
            guard merged != known else { continue }
            try rows.write(merged, of: original)
            filled += 1
        }
        return filled
    }
}

extension RecordedTransaction {
    /// Returns whether other credits may follow from the facts than from those of before: some details decide only
    /// whether a period was a trial, which earns less if the terms say so.
    fileprivate func mayEarnOtherwise(than known: Self) -> Bool {
        var plain = transaction
        plain.details = known.transaction.details
        return plain != known.transaction || terms?.trialCredits == .withhold
    }
}
