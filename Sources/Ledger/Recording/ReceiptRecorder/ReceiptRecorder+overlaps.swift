import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// The maximum number of recorded copies of periods before a new one that it may have ended: periods that overlap
    /// are few.
    private static var earlierPeriods: Int { 8 }
    /// Overlaps, in seconds, that are none.
    private static var negligibleOverlap: TimeInterval { 60 }

    /// Sets when the customer left periods for another product of their subscription, and finds the transactions that
    /// only added seats to a period: among the copies, and among recorded transactions, which are added to the copies
    /// if that is new.
    ///
    /// - Parameters:
    ///   - merged: the copies, merged with what is recorded.
    ///   - known: what is recorded of them.
    ///   - originals: those of their original transactions that are recorded.
    /// - Returns: the keys of those that only added seats.
    func addOverlaps(
        to merged: inout [Transaction.Key: Transaction], _ known: inout [Transaction.Key: RecordedTransaction],
        _ originals: [OriginalTransaction.Key: OriginalTransaction]
    ) throws -> Set<Transaction.Key> {
        var additions = Set(known.values.filter(\.addsSeats).map(\.transaction.key))
        let periods = merged.values.filter { $0.paidUntil != nil && $0.ownershipType == .purchased }
        for (line, periods) in Dictionary(grouping: periods, by: \.originalTransactionKey) {
            let new = periods.filter { $0.overlapsOtherwise(than: known[$0.key]?.transaction) }
            // Copies of one period begin in one second.
            guard let first = new.map({ $0.purchaseDate - 1 }).min() else { continue }
            var neighbours: [RecordedTransaction] = []
            if originals[line] != nil {
                neighbours = try rows.transactions(of: line, since: first)
                neighbours += try rows.transactions(of: line, before: first, limit: Self.earlierPeriods)
            }
            let others = neighbours.filter { merged[$0.transaction.key] == nil }
            let before = periods + others.map(\.transaction)
            let all = before.map { $0.leaving(for: before, Self.negligibleOverlap) }
            // What began earlier may have added to what is not read here: it is decided.
            let open = Set(all.filter { $0.purchaseDate >= first }.map(\.key))
            additions = additions.subtracting(open).union(all.seatAdditions.intersection(open))
            let recorded = Dictionary(others.map { ($0.transaction.key, $0) }) { first, _ in first }
            for (period, earlier) in zip(all, before) {
                let isOtherwise = recorded[period.key].map { $0.addsSeats != additions.contains(period.key) } ?? false
                guard period != earlier || isOtherwise else { continue }
                merged[period.key] = period
                known[period.key] = known[period.key] ?? recorded[period.key]
            }
        }
        return additions
    }
}

extension Transaction {
    /// Whether it may overlap other periods than its recorded copy does.
    fileprivate func overlapsOtherwise(than recorded: Transaction?) -> Bool {
        guard let recorded else { return true }
        return recorded.paidUntil != paidUntil || recorded.runsUntil != runsUntil || recorded.mayAddSeats != mayAddSeats
    }

    /// The same with ``leftDate`` by the other periods.
    fileprivate func leaving(for others: [Transaction], _ negligible: TimeInterval) -> Transaction {
        guard others.contains(where: { $0.productID != productID }), let left = left(for: others, negligible),
            left != leftDate
        else { return self }
        var copy = self
        copy.leftDate = left
        return copy
    }

    /// The beginning of the first period of another product before the end of this one; `nil` if there is none.
    private func left(for others: [Transaction], _ negligible: TimeInterval) -> Date? {
        guard let end = paidUntil, ownershipType == .purchased else { return nil }
        let beginnings = others.lazy.filter {
            $0.productID != productID && $0.ownershipType == .purchased && $0.expirationDate != nil
        }
        .map(\.purchaseDate).filter { $0 > purchaseDate && $0 <= end - negligible }
        return [beginnings.min(), leftDate].compactMap(\.self).min()
    }
}

extension [Transaction] {
    /// The keys of those of one original transaction that only added seats to a period. A period, and what was added,
    /// may come under several IDs, of which one alone says that it was refunded, or why it was bought.
    var seatAdditions: Set<Transaction.Key> {
        guard contains(where: \.mayAddSeats) else { return [] }
        let copies = Dictionary(grouping: self) { $0.mark(of: .autoRenewable) }
        let purchases = copies.compactMapValues(Transaction.purchase)
        let added = purchases.filter { _, addition in purchases.values.contains { addition.addsSeats(to: $0) } }
        return Set(added.keys.flatMap { copies[$0] ?? [] }.map(\.key))
    }
}
