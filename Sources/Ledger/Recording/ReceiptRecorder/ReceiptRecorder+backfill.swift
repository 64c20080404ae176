package import InAppPurchase

extension ReceiptRecorder {
    /// Merges copies of transactions, and statements about renewals, into what is recorded of them already: nobody gets
    /// or loses a purchase by it. What is not recorded stays so. Idempotent.
    ///
    /// - Returns: the number of transactions and renewals that changed.
    package func fill(_ verified: VerifiedReceipt) throws -> Int {
        let facts = try withoutForgotten(verified)
        let copies = Dictionary(grouping: facts.transactions, by: \.key)
        let records = try rows.transactions(Set(copies.keys)).compactMap { known in
            var record = known
            for copy in copies[known.transaction.key] ?? [] { record.transaction.merge(copy) }
            return record.transaction == known.transaction ? nil : record
        }
        for record in records { try rows.write(record) }
        // A fact may say that a period was a trial, which earns less.
        try deliver(records.filter { $0.terms?.trialCredits == .withhold }, .operator)
        return try records.count + fillUnclaimed(copies) + fillRenewals(facts.renewals)
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
