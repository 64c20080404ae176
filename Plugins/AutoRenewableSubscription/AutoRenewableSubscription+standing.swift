public import Foundation
public import InAppPurchase

extension AutoRenewableSubscription: CondensingHandler {
    /// The periods of each original transaction, of those that are stored the newest, and the newest period of each
    /// product.
    public struct Standing: Codable, Hashable, Sendable {
        /// In the order of their IDs.
        fileprivate var originals: [SubscriptionPeriods] = []
        fileprivate var newest: [ProductID: Period] = [:]

        public init() {}
    }

    public static let standingVersion = 1

    public static func condensed(_ standing: Standing) -> Standing {
        var standing = standing
        for index in standing.originals.indices { standing.originals[index].leaveOutOldPeriods() }
        return standing
    }

    /// The access by the best original transaction: of several that are granted, such as the customer's own and a
    /// family member's, the one of the highest level, and of the same level the newest; if none is granted, the newest
    /// gives the reason. Original transactions of one product give access until the latest of their ends.
    public static func access(
        to product: ProductID, given standing: Standing, renewals: [TransactionID: RenewalFacts], at date: Date
    ) -> Access? {
        let originals = standing.originals.compactMap { $0.rankedAccess(renewals[$0.original], at: date) }
        guard originals.count == standing.originals.count else { return nil }
        if let best = originals.min(by: { $0.rank < $1.rank }), best.product == product {
            let ends = originals.filter { $0.product == product }.compactMap(\.end)
            return ends.max().map { .granted(until: $0) } ?? best.access
        }
        return .denied(standing.newest[product]?.reasonSuperseded(at: date) ?? .expired)
    }
}

extension AutoRenewableSubscription.Standing: AdditiveStanding {
    public mutating func add(_ purchase: Purchase<AutoRenewableSubscription>) {
        let (period, original) = (Period(purchase), purchase.transaction.originalID)
        if newest[period.product].map({ period.recency < $0.recency }) ?? true { newest[period.product] = period }
        guard !period.isUpgraded else { return }
        let index = originals.firstIndex { original <= $0.original } ?? originals.endIndex
        if originals.indices.contains(index), originals[index].original == original {
            originals[index].add(period)
        } else {
            originals.insert(SubscriptionPeriods(of: original, [period]), at: index)
        }
    }
}

extension AutoRenewableSubscription.Standing: CompactStanding {
    public init(from reader: inout CompactReader) throws {
        originals = try reader.readArray { try SubscriptionPeriods(from: &$0) }
        let periods = try reader.readArray { try Period(from: &$0) }
        newest = Dictionary(periods.map { ($0.product, $0) }) { $1 }
    }

    public func write(to writer: inout CompactWriter) {
        writer.write(originals) { $1.write(to: &$0) }
        writer.write(newest.values.sorted { $0.product < $1.product }) { $1.write(to: &$0) }
    }
}
