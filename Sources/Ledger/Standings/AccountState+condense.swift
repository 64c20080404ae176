import Foundation
import InAppPurchase

extension AccountState {
    /// Condenses all histories.
    ///
    /// - Returns: `nil` if one cannot be condensed: its handler does not do it.
    package func condensed() -> [HistoryID: CondensedHistory]? {
        guard records.allSatisfy(\.hasPlainCredits) else { return nil }
        var condensed: [HistoryID: CondensedHistory] = [:]
        for (id, records) in Dictionary(grouping: records, by: { HistoryID(of: $0) }) {
            guard var history = CondensedHistory(of: records, for: account) else { return nil }
            if history.keeps {
                // Renewals may decide the access of such a purchase at its own date, and they change.
                guard !records.contains(where: { $0.transaction.mayRenew && $0.transaction.expirationDate == nil })
                else { return nil }
                for product in history.products where product.keeps {
                    let subject = Subject(scope: id.scope, product: product.product)
                    history.setRetainedTimes(retainedTimes(of: subject, in: id), of: product.product)
                }
            }
            condensed[id] = history
        }
        return condensed
    }

    /// The times that the purchases of a product keep, without the grace period of the newest one, which may change.
    private func retainedTimes(of subject: Subject, in id: HistoryID) -> [RetainedTime] {
        let ranges = retainedRanges(of: subject, [:]).filter { HistoryID(of: $0.record) == id }
        let closed = RetainedTimes(ranges.filter { !isNewest($0.record.transaction) }.map(\.range)).ranges
            .map { RetainedTime(start: $0.lowerBound, end: $0.upperBound) }
        let open = ranges.filter { isNewest($0.record.transaction) }.map { record, range in
            RetainedTime(start: range.lowerBound, end: range.upperBound, renewing: record.transaction.originalID)
        }
        return (closed + open).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// Whether the transaction is the newest period of a subscription.
    private func isNewest(_ transaction: Transaction) -> Bool {
        transaction.expirationDate != nil && nextPeriod(after: transaction) == nil
    }
}
