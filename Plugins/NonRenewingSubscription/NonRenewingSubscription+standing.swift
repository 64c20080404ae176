import Foundation
package import InAppPurchase

extension NonRenewingSubscription {
    /// The newest runs of a timeline: with each product as many as apps are told, and always the last one, which the
    /// next purchase may extend.
    public struct Standing: Codable, Hashable, Sendable {
        /// Oldest first.
        private(set) var runs: [Run] = []
        /// The products with a purchase that is not revoked, in order.
        private(set) var bought: [ProductID] = []
        /// The end of the last run that is left out.
        private(set) var forgottenUntil: Date?
        private var newestDate: Date?
        private var newestID: TransactionID?

        init() {}
    }
}

extension NonRenewingSubscription.Standing {
    /// Whether the transaction is newer than all purchases that are not revoked.
    func isOlder(than transaction: Transaction) -> Bool {
        guard let newestDate, let newestID else { return true }
        return (newestDate, newestID) < (transaction.purchaseDate, transaction.id)
    }

    /// Adds a purchase that is not revoked, and newer than all before.
    mutating func add(_ purchase: Purchase<NonRenewingSubscription>) {
        let transaction = purchase.transaction
        (newestDate, newestID) = (transaction.purchaseDate, transaction.id)
        if !bought.contains(transaction.productID) { bought = (bought + [transaction.productID]).sorted() }
        let count = runs.count
        runs.add(purchase)
        if runs.count > count || count > Entitlement.maximumRuns { leaveOutOldRuns() }
    }

    private mutating func leaveOutOldRuns() {
        guard runs.count > Entitlement.maximumRuns, let last = runs.last else { return }
        var newer: [ProductID: Int] = [:]
        var kept: [Run] = []
        for run in runs.reversed() {
            let isListed = run == last || run.products.contains { newer[$0, default: 0] < Entitlement.maximumRuns }
            if isListed { kept.append(run) } else { forgottenUntil = max(run.end, forgottenUntil ?? run.end) }
            guard run.end > run.start else { continue }
            for product in run.products { newer[product, default: 0] += 1 }
        }
        runs = kept.reversed()
    }
}

extension NonRenewingSubscription.Standing: CompactStanding {
    package init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        for _ in 0..<(try reader.readCount()) { runs.append(try Run(from: &reader)) }
        for _ in 0..<(try reader.readCount()) { bought.append(try reader.readIdentifier()) }
        if has.next() { forgottenUntil = try reader.readDate() }
        if has.next() { newestDate = try reader.readDate() }
        if has.next() { newestID = try reader.readIdentifier() }
    }

    package func write(to writer: inout CompactWriter) {
        writer.write([forgottenUntil != nil, newestDate != nil, newestID != nil])
        writer.write(count: runs.count)
        for run in runs { run.write(to: &writer) }
        writer.write(count: bought.count)
        for product in bought { writer.write(product) }
        if let forgottenUntil { writer.write(forgottenUntil) }
        if let newestDate { writer.write(newestDate) }
        if let newestID { writer.write(newestID) }
    }
}
