public import Foundation
public import InAppPurchase

extension AutoRenewableSubscription: CondensingHandler {
    /// The newest periods of each original transaction, and the newest period of each product.
    public struct Standing: Codable, Hashable, Sendable {
        /// In the order of their IDs.
        fileprivate var originals: [SubscriptionPeriods] = []
        fileprivate var newest: [ProductID: Period] = [:]
    }

    public static let standingVersion = 1

    public static func standing(of history: PurchaseHistory<Self>) -> Standing {
        var standing = Standing()
        standing.originals = SubscriptionPeriods.periodsByOriginal(of: history).sorted { $0.original < $1.original }
        for index in standing.originals.indices { standing.originals[index].leaveOutOldPeriods() }
        for purchase in history.purchases { standing.addNewest(Period(purchase)) }
        return standing
    }

    public static func standing(_ standing: Standing, adding purchase: Purchase<Self>) -> Standing? {
        var standing = standing
        let period = Period(purchase)
        standing.addNewest(period)
        if !period.isUpgraded { standing.add(period, of: purchase.transaction.originalID) }
        return standing
    }

    public static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        let originals = standing.originals.compactMap { $0.rankedAccess(renewals[$0.original], at: date) }
        guard originals.count == standing.originals.count else { return nil }
        return access(to: product, by: originals, newest: standing.newest[product], at: date)
    }
}

extension AutoRenewableSubscription.Standing {
    fileprivate mutating func addNewest(_ period: Period) {
        if let known = newest[period.product], known.recency <= period.recency { return }
        newest[period.product] = period
    }

    fileprivate mutating func add(_ period: Period, of original: TransactionID) {
        guard let index = originals.firstIndex(where: { $0.original == original }) else {
            var periods = SubscriptionPeriods(of: original)
            periods.add(period)
            originals.append(periods)
            return originals.sort { $0.original < $1.original }
        }
        originals[index].add(period)
    }
}

extension AutoRenewableSubscription.Standing: CompactStanding {
    package init(from reader: inout CompactReader) throws {
        for _ in 0..<(try reader.readCount()) { originals.append(try SubscriptionPeriods(from: &reader)) }
        for _ in 0..<(try reader.readCount()) {
            let period = try Period(from: &reader)
            newest[period.product] = period
        }
    }

    package func write(to writer: inout CompactWriter) {
        writer.write(count: originals.count)
        for periods in originals { periods.write(to: &writer) }
        writer.write(count: newest.count)
        for (_, period) in newest.sorted(by: { $0.key < $1.key }) { period.write(to: &writer) }
    }
}
