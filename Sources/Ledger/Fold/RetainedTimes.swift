import InAppPurchase
package import Foundation

/// When a subscription ran whose terms keep what was published meanwhile (``AfterExpiry/keep``).
package struct RetainedTimes: Hashable, Sendable {
    /// No two meet, the oldest first. The end of each is the first moment after it.
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
    /// When the account's purchases of the product ran: those under terms that keep, and not taken back.
    func keptTimes(of subject: Subject) -> RetainedTimes {
        guard context.admits(account, to: subject.scope) else { return RetainedTimes() }
        let keeping = records.filter { record in
            record.owner == account && record.scope == subject.scope && record.terms?.afterExpiry == .keep
                && !record.isRevoked
        }
        let ranges = keeping.filter { $0.subject == subject }.compactMap { record in
            record.transaction.expirationDate.map { paidTime(of: record.transaction, to: $0) }
                ?? grantedTime(of: record, among: keeping)
        }
        return RetainedTimes(ranges)
    }

    /// What the store sold: to the end of the period, of the newest to the end of grace. An upgrade ends it before.
    private func paidTime(of transaction: Transaction, to end: Date) -> Range<Date> {
        let start = transaction.purchaseDate
        let next = records.map(\.transaction)
            .filter { $0.originalTransactionKey == transaction.originalTransactionKey && $0.purchaseDate > start }.map(
                \.purchaseDate
            ).min()
        var end = end
        if let next {
            if transaction.isUpgraded { end = min(end, next) }
        } else if let grace = renewals[transaction.originalTransactionKey]?.gracePeriodExpirationDate {
            end = max(end, grace)
        }
        return start..<max(start, end)
    }

    /// What the handler granted on the day of the purchase, of those that had been made by then.
    private func grantedTime(of record: RecordedTransaction, among keeping: [RecordedTransaction]) -> Range<Date>? {
        let start = record.transaction.purchaseDate
        let history = keeping.filter {
            $0.terms?.historyKey == record.terms?.historyKey && $0.transaction.purchaseDate <= start
        }
        let ends = HandlerResults(on: history, renewals: renewals, at: start).entitlements(to: record.subject)
            .compactMap { entitlement -> Date? in
                if case .granted(let end) = entitlement.access { end ?? .distantFuture } else { nil }
            }
        return ends.max().map { start..<max(start, $0) }
    }
}
