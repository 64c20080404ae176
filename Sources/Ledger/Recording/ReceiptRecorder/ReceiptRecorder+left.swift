import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// The maximum number of recorded periods before a new one that it may have ended: periods that overlap are few.
    private static var earlierPeriods: Int { 4 }
    /// Overlaps, in seconds, that are none.
    private static var negligibleOverlap: TimeInterval { 60 }

    /// Sets when the customer left periods for another product of their subscription: those of the copies, and recorded
    /// ones, which are added to the copies.
    ///
    /// - Parameters:
    ///   - merged: the copies, merged with what is recorded.
    ///   - known: what is recorded of them.
    ///   - originals: those of their original transactions that are recorded.
    func addLeft(
        to merged: inout [Transaction.Key: Transaction], _ known: inout [Transaction.Key: RecordedTransaction],
        _ originals: [OriginalTransaction.Key: OriginalTransaction]
    ) throws {
        let periods = merged.values.filter { $0.paidUntil != nil && $0.ownershipType == .purchased }
        for (line, periods) in Dictionary(grouping: periods, by: \.originalTransactionKey) {
            let new = periods.filter { known[$0.key]?.transaction.paidUntil != $0.paidUntil }
            guard let first = new.map(\.purchaseDate).min() else { continue }
            var neighbours: [RecordedTransaction] = []
            if originals[line] != nil {
                neighbours = try rows.transactions(of: line, since: first)
                neighbours += try rows.transactions(of: line, before: first, limit: Self.earlierPeriods)
            }
            let others = neighbours.filter { merged[$0.transaction.key] == nil }
            let all = periods + others.map(\.transaction)
            guard Set(all.map(\.productID)).count > 1 else { continue }
            for period in all {
                guard let left = period.left(for: all, Self.negligibleOverlap), period.leftDate != left else {
                    continue
                }
                merged[period.key] = period
                merged[period.key]?.leftDate = left
            }
            for record in others where merged[record.transaction.key] != nil { known[record.transaction.key] = record }
        }
    }
}

extension Transaction {
    /// The beginning of the first period of another product before the end of this one; `nil` if there is none.
    fileprivate func left(for others: [Transaction], _ negligible: TimeInterval) -> Date? {
        guard let end = paidUntil, ownershipType == .purchased else { return nil }
        let beginnings = others.lazy.filter {
            $0.productID != productID && $0.ownershipType == .purchased && $0.expirationDate != nil
        }
        .map(\.purchaseDate).filter { $0 > purchaseDate && $0 <= end - negligible }
        return [beginnings.min(), leftDate].compactMap(\.self).min()
    }
}
