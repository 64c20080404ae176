import InAppPurchase

extension ReceiptRecorder {
    /// Finds the purchases that transactions are copies of, with what is recorded of them.
    ///
    /// - Parameters:
    ///   - originals: those of their original transactions that are recorded.
    ///   - additions: the keys of those that only added seats to a period.
    func purchases(
        of transactions: [Transaction], _ known: [Transaction.Key: RecordedTransaction],
        _ originals: [OriginalTransaction.Key: OriginalTransaction], _ additions: Set<Transaction.Key>
    ) throws -> RecordedPurchases {
        let type = { (transaction: Transaction) in
            known[transaction.key]?.terms?.type
                ?? context.catalog.product(transaction.productID, of: transaction.app)?.type
        }
        // Of an original transaction that is not recorded there may be copies under another original ID.
        let sought = transactions.filter { originals[$0.originalTransactionKey] != nil || $0.isPeriodOfItem }
        let found = sought.isEmpty ? [] : try rows.copies(of: sought) { $0.isPeriod(of: type($0)) }
        return RecordedPurchases(of: transactions, found: found, known: known, additions: additions, type: type)
    }

    /// Writes transactions that are new or changed.
    ///
    /// - Returns: the transactions, each with what the copies of its purchase state together.
    func write(
        _ records: [RecordedTransaction], over known: [Transaction.Key: RecordedTransaction],
        _ purchases: RecordedPurchases, _ changes: inout RecordedChanges
    ) throws -> [RecordedTransaction] {
        for (from, name) in purchases.joined { try rows.join(from, to: name) }
        if !purchases.joined.isEmpty || purchases.hasFewer { changes.readAll() }
        var written: [RecordedTransaction] = []
        for records in Dictionary(grouping: records, by: \.purchaseKey).values {
            let new = records.filter { $0.isNew(known) }
            for record in new { try rows.write(record) }
            let earlier = records.first.map { purchases.copies(of: $0.transaction) } ?? []
            let keys = Set(records.map(\.transaction.key))
            let copies = (records + earlier.filter { !keys.contains($0.transaction.key) }).filter { $0.purchase != nil }
            guard let purchase = copies.purchase else {
                for record in new { changes.addEvidence(record) }
                written += records
                continue
            }
            if !new.isEmpty {
                changes.add(RecordedChanges.Change(before: earlier.purchase, after: purchase))
                try writeReported(purchase, of: copies)
            }
            written += records.map { $0.standing(for: purchase) }
        }
        return written
    }

    /// Stores what several copies state together beside the one that gave the purchase its name.
    private func writeReported(_ purchase: RecordedTransaction, of copies: [RecordedTransaction]) throws {
        guard copies.count > 1, let named = copies.first(where: { $0.transaction.id == $0.purchase }) else { return }
        var reported = named.standing(for: purchase).transaction
        // Reports find the end of a period by its row.
        reported.expirationDate = named.transaction.expirationDate
        try rows.write(purchase: reported)
    }

    /// Writes new statements about recorded transactions.
    func write(
        _ records: [RecordedTransaction], over known: [Transaction.Key: RecordedTransaction]
    ) throws -> [RecordedTransaction] {
        let transactions = records.map(\.transaction)
        let originals = try rows.originalTransactions(Set(transactions.map(\.originalTransactionKey)))
        let additions = Set(records.filter(\.addsSeats).map(\.transaction.key))
        let purchases = try purchases(of: transactions, known, originals, additions)
        let named = records.map { record in
            var copy = record
            copy.purchase = purchases.name(of: record.transaction)
            return copy
        }
        var changes = RecordedChanges(standings: [:])
        return try write(named, over: known, purchases, &changes)
    }

    /// Counts transactions that were recorded as purchases of their own as the copies that they are, and takes back
    /// what they earned. They are found as copies by now.
    package func countOnce(_ records: [RecordedTransaction]) throws {
        let written = try write(records, over: [:])
        let accounts = Set(written.flatMap { [$0.owner, $0.creditedTo] })
        for account in accounts.sorted(by: { $0.text < $1.text }) {
            let state = try state(of: account)
            for scope in Set(written.map(\.scope)) {
                try postCredits(of: state, in: scope, cause: nil, takingBackAs: .correction)
            }
            try writeStandings(of: state)
        }
    }
}

extension LedgerTransaction {
    /// Returns recorded transactions, each with what the copies of its purchase state together.
    package func withCopies(_ records: [RecordedTransaction]) throws -> [RecordedTransaction] {
        let keys = Set(records.compactMap(\.purchaseKey))
        let copies = Dictionary(grouping: try transactions(ofPurchases: keys)) { $0.purchaseKey }
        return records.map { record in
            guard record.purchase != nil, let purchase = copies[record.purchaseKey]?.purchase else { return record }
            return record.standing(for: purchase)
        }
    }
}

extension RecordedTransaction {
    fileprivate func isNew(_ known: [Transaction.Key: RecordedTransaction]) -> Bool {
        guard let earlier = known[transaction.key] else { return true }
        return earlier.transaction != transaction || earlier.terms == nil && terms != nil
            || earlier.purchase != purchase || earlier.creditsFrom != creditsFrom
    }

    /// The purchase under the ID and the date of this copy.
    fileprivate func standing(for purchase: RecordedTransaction) -> RecordedTransaction {
        var copy = purchase
        (copy.transaction.id, copy.transaction.originalID) = (transaction.id, transaction.originalID)
        copy.transaction.purchaseDate = transaction.purchaseDate
        (copy.owner, copy.creditedTo) = (owner, creditedTo)
        return copy
    }
}

extension Transaction {
    /// Whether it may have copies that only Apple's ID of the period tells.
    fileprivate var isPeriodOfItem: Bool { details?.webOrderLineItemID != nil }
}

extension [RecordedTransaction] {
    /// One for each purchase.
    package var uniquePurchases: [RecordedTransaction] {
        guard count > 1 else { return self }
        var seen: Set<Transaction.Key> = []
        return filter { $0.purchaseKey.map { seen.insert($0).inserted } ?? false }
    }
}
