package import Foundation
import InAppPurchase

/// The times of subscriptions whose terms keep access to what was published meanwhile
/// (``/InAppPurchase/AfterExpiry/keep``).
package struct RetainedTimes: Hashable, Sendable {
    /// Ranges that do not touch, oldest first. The end of each is the first moment after it.
    package let ranges: [Range<Date>]

    package init(_ ranges: [Range<Date>] = []) {
        self.ranges = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { merged, range in
                guard let last = merged.last, range.lowerBound <= last.upperBound else { return merged.append(range) }
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ date: Date) -> Bool { ranges.contains { $0.contains(date) } }
}

extension AccountState {
    /// The times of the account's purchases of the product: those under terms that keep, and not revoked.
    func retainedTimes(of subject: Subject) -> RetainedTimes {
        guard context.admits(account, to: subject.scope) else { return RetainedTimes() }
        return RetainedTimes(retainedRanges(of: subject, renewals).map(\.range))
    }

    /// The time of each purchase, whatever the sandbox setting.
    ///
    /// - Parameter renewals: those whose grace periods count.
    func retainedRanges(
        of subject: Subject, _ renewals: [OriginalTransaction.Key: RenewalFacts]
    ) -> [(record: RecordedTransaction, range: Range<Date>)] {
        let keeping = records.filter { record in
            record.owner == account && record.scope == subject.scope && record.terms?.afterExpiry == .keep
                && !record.isRevoked
        }
        return keeping.filter { $0.subject == subject }.compactMap { record in
            let range =
                record.transaction.expirationDate.map { paidTime(of: record.transaction, to: $0, renewals) }
                ?? grantedTime(of: record, among: keeping, renewals)
            return range.map { (record, $0) }
        }
    }

    /// The paid time: to the end of the period, for the newest period to the end of the grace period. An upgrade ends
    /// it earlier.
    private func paidTime(
        of transaction: Transaction, to end: Date, _ renewals: [OriginalTransaction.Key: RenewalFacts]
    ) -> Range<Date> {
        let start = transaction.purchaseDate
        var end = end
        if let next = nextPeriod(after: transaction) {
            if transaction.isUpgraded { end = min(end, next) }
        } else if let grace = renewals[transaction.originalTransactionKey]?.gracePeriodExpirationDate {
            end = max(end, grace)
        }
        return start..<max(start, end)
    }

    /// The start of the original transaction's next period.
    func nextPeriod(after transaction: Transaction) -> Date? {
        records.lazy.map(\.transaction).filter {
            $0.originalTransactionKey == transaction.originalTransactionKey
                && $0.purchaseDate > transaction.purchaseDate
        }
        .map(\.purchaseDate).min()
    }

    /// The time that the handler granted at the date of the purchase, by the purchases made until then.
    private func grantedTime(
        of record: RecordedTransaction, among keeping: [RecordedTransaction],
        _ renewals: [OriginalTransaction.Key: RenewalFacts]
    ) -> Range<Date>? {
        let start = record.transaction.purchaseDate
        let history = keeping.filter {
            $0.terms?.historyKey == record.terms?.historyKey && $0.transaction.purchaseDate <= start
        }
        let ends = HandlerResults(on: history, renewals: renewals, at: start).entitlements(to: record.subject)
            .compactMap { entitlement -> Date? in
                guard case .granted(let end) = entitlement.access else { return nil }
                return (end ?? .distantFuture).wholeMilliseconds
            }
        return ends.max().map { start..<max(start, $0) }
    }
}
