import Foundation
public import InAppPurchase

extension NonRenewingSubscription {
    /// The runs of a timeline. Of those that are stored, with each product as many as apps are told, and always the
    /// last one, which the next purchase may extend.
    public struct Standing: Codable, Hashable, Sendable {
        /// Oldest first.
        private(set) var runs: [Run] = []
        /// The products with a purchase that is not revoked, in order.
        private(set) var bought: [ProductID] = []
        /// The end of the last run that is left out.
        private(set) var forgottenUntil: Date?
        private var newestDate: Date?
        private var newestID: TransactionID?

        public init() {}
    }
}

extension NonRenewingSubscription.Standing: AdditiveStanding {
    /// Whether it is newer than all others, or revoked: an older one may join runs that a gap parts.
    public func canAdd(_ purchase: Purchase<NonRenewingSubscription>) -> Bool {
        guard !purchase.isRevoked, let newestDate, let newestID else { return true }
        return (newestDate, newestID) < (purchase.transaction.purchaseDate, purchase.transaction.id)
    }

    /// A purchase extends the last run, or begins a new one; one that is revoked does neither.
    public mutating func add(_ purchase: Purchase<NonRenewingSubscription>) {
        guard !purchase.isRevoked else { return }
        let transaction = purchase.transaction
        (newestDate, newestID) = (transaction.purchaseDate, transaction.id)
        if !bought.contains(transaction.productID) { bought = (bought + [transaction.productID]).sorted() }
        if let last = runs.last, transaction.purchaseDate < last.end {
            runs[runs.index(before: runs.endIndex)].add(purchase)
        } else {
            runs.append(Run(purchase))
        }
    }

    mutating func leaveOutOldRuns() {
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
    public init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        runs = try reader.readArray { try Run(from: &$0) }
        bought = try reader.readArray { try $0.readIdentifier() }
        if has.next() { forgottenUntil = try reader.readDate() }
        if has.next() { newestDate = try reader.readDate() }
        if has.next() { newestID = try reader.readIdentifier() }
    }

    public func write(to writer: inout CompactWriter) {
        writer.write([forgottenUntil != nil, newestDate != nil, newestID != nil])
        writer.write(runs) { $1.write(to: &$0) }
        writer.write(bought) { $0.write($1) }
        if let forgottenUntil { writer.write(forgottenUntil) }
        if let newestDate { writer.write(newestDate) }
        if let newestID { writer.write(newestID) }
    }
}
