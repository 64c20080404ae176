import Foundation
package import InAppPurchase

extension ReceiptRecorder {
    /// Returns when the credits of a transaction are posted, if that is later.
    ///
    /// - Parameter known: what is recorded of it. Credits that were posted stay so.
    func creditsFrom(_ transaction: Transaction, _ known: RecordedTransaction?) -> Date? {
        if let known, known.creditsFrom == nil { return nil }
        return transaction.isAhead(of: context.date) ? transaction.purchaseDate : nil
    }

    /// Posts the credits of a purchase that has begun, and delivers it. Does nothing the second time.
    package func creditBegun(_ purchase: Transaction.Key) throws {
        let copies = try rows.transactions(ofPurchases: [purchase])
        let begun = copies.filter { $0.creditsFrom.map { $0 <= context.date } ?? false }
        guard let first = begun.first else { return }
        let lines = Set(begun.map(\.transaction.originalTransactionKey))
        let originals = try rows.originalTransactions(lines)
        let known = Dictionary(copies.map { ($0.transaction.key, $0) }) { first, _ in first }
        let accounts = Set(copies.flatMap { [$0.owner, $0.creditedTo] })
        var changes = RecordedChanges(standings: try rows.standings(of: accounts), known: originals, claimed: originals)
        let counted = begun.map { record in
            var counted = record
            counted.creditsFrom = nil
            return counted
        }
        let purchases = try purchases(of: begun.map(\.transaction), known, originals, [])
        let written = try write(counted, over: known, purchases, &changes)
        try deliver(written, .notification(first.transaction.id.text), changes: changes)
    }
}

extension Transaction {
    /// Whether it is a period that was signed ahead of its beginning, and has not begun.
    fileprivate func isAhead(of date: Date) -> Bool {
        guard expirationDate != nil, mayRenew else { return false }
        return purchaseDate > max(date, signedDate).addingTimeInterval(Self.clockLeeway)
    }
}
