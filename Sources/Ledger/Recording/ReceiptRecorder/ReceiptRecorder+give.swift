import InAppPurchase

extension ReceiptRecorder {
    /// Records the transactions that waited for an owner as those of an original transaction that has one now, and
    /// delivers them.
    func give(_ waiting: [UnclaimedTransaction], of original: OriginalTransaction) throws {
        var changes = RecordedChanges(
            standings: try rows.standings(of: [original.owner]), known: [:], claimed: [original.key: original])
        var records: [RecordedTransaction] = []
        for held in waiting {
            let record = RecordedTransaction(
                transaction: held.transaction, terms: held.terms ?? context.terms(for: held.transaction),
                owner: original.owner, creditedTo: original.owner)
            try rows.write(record)
            changes.add(RecordedChanges.Change(before: nil, after: record))
            records.append(record)
        }
        try deliver(records, .operator, new: Set(records.map(\.transaction.key)), changes: changes)
    }
}
