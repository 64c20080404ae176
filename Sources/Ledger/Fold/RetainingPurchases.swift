import Foundation
import InAppPurchase

/// The purchases that an account owns under terms that keep access to what was published meanwhile
/// (``/InAppPurchase/AfterExpiry/keep``), and the periods that end their times.
struct RetainingPurchases {
    private let purchases: [RecordedTransaction]
    /// The beginnings of the periods of each original transaction, whoever owns them.
    private let starts: [OriginalTransaction.Key: [Date]]
    private let renewals: [OriginalTransaction.Key: RenewalFacts]

    /// - Parameter records: the purchases of the account, each once.
    init(
        _ records: [RecordedTransaction], of account: AccountID, renewals: [OriginalTransaction.Key: RenewalFacts]
    ) {
        purchases = records.filter { $0.owner == account && $0.terms?.afterExpiry == .keep && !$0.isRevoked }
        starts =
            purchases.isEmpty
            ? [:]
            : Dictionary(grouping: records.map(\.transaction), by: \.originalTransactionKey)
                .mapValues { $0.map(\.purchaseDate) }
        self.renewals = renewals
    }

    /// Returns the times that the purchases of a product retain in one history, without the grace period of the newest
    /// period, which may change.
    func times(of product: ProductID, in id: HistoryID) -> [RetainedTime] {
        let own = purchases.filter { $0.transaction.productID == product && HistoryID(of: $0) == id }
        let times = own.compactMap { record in
            time(of: record).map { (range: $0, renewing: isNewest(record.transaction) ? record.transaction : nil) }
        }
        let closed = RetainedTimes(times.filter { $0.renewing == nil }.map(\.range)).ranges
            .map { RetainedTime(start: $0.lowerBound, end: $0.upperBound) }
        let open = times.compactMap { time in
            time.renewing.map {
                RetainedTime(start: time.range.lowerBound, end: time.range.upperBound, renewing: $0.originalID)
            }
        }
        return (closed + open).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// Whether the transaction is the newest period of a subscription.
    private func isNewest(_ transaction: Transaction) -> Bool {
        transaction.expirationDate != nil && nextPeriod(after: transaction) == nil
    }

    /// The start of the original transaction's next period.
    private func nextPeriod(after transaction: Transaction) -> Date? {
        starts[transaction.originalTransactionKey]?.filter { $0 > transaction.purchaseDate }.min()
    }

    /// The paid time, which an upgrade ends earlier; where the store gives no end, the time that the handler granted.
    private func time(of record: RecordedTransaction) -> Range<Date>? {
        guard var end = record.transaction.expirationDate else { return grantedTime(of: record) }
        let start = record.transaction.purchaseDate
        if record.transaction.isUpgraded, let next = nextPeriod(after: record.transaction) { end = min(end, next) }
        return start..<max(start, end)
    }

    /// The time that the handler granted at the date of the purchase, by the purchases made until then.
    private func grantedTime(of record: RecordedTransaction) -> Range<Date>? {
        let start = record.transaction.purchaseDate
        let history = purchases.filter {
            HistoryID(of: $0) == HistoryID(of: record) && $0.transaction.purchaseDate <= start
        }
        let ends = HandlerResults(on: history, renewals: renewals, at: start).entitlements(to: record.subject)
            .compactMap { entitlement -> Date? in
                guard case .granted(let end) = entitlement.access else { return nil }
                return (end ?? .distantFuture).wholeMilliseconds
            }
        return ends.max().map { start..<max(start, $0) }
    }
}
