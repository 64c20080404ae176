public import Foundation
public import InAppPurchase

/// A subscription for a fixed time that only this server knows: the App Store neither states its end nor restores it.
///
/// All purchases of the product, or of its group, lie on one timeline. A purchase before the current run ends extends
/// the run; a later one starts a new run. A run ends at its start plus the sum of its durations, so that three months
/// from 31 January end on 30 April and the second of them on 31 March.
///
/// A partial refund takes its share of the quantity, with the rest rounded up to whole units; of a single unit it takes
/// that share of the seconds by which the unit extended its run.
public struct NonRenewingSubscription: ProductHandler {
    public static let productType = ProductType.nonRenewing

    /// The duration of one unit, counted in the UTC Gregorian calendar.
    public var duration: CalendarDuration
    /// The group whose products share a timeline; `nil` if the product has its own.
    public var group: String?

    public init(duration: CalendarDuration, group: String? = nil) {
        self.duration = duration
        self.group = group
    }

    public func isRevoked(_ transaction: Transaction) -> Bool { PartialRefund.keep.revokes(transaction) }

    /// Access to the end of a current run that holds a purchase of `product`; revoked purchases do not count.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let purchases = history.purchases.filter { !$0.isRevoked }
        let runs = runs(of: purchases).filter { $0.products.contains(product) }
        let run = runs.first { $0.end > date }
        let denial = purchases.contains { $0.transaction.productID == product } ? DenialReason.expired : .revoked
        return Entitlement(
            access: run.map { .granted(until: $0.end) } ?? .denied(denial), credits: history.credits(of: product),
            runs: runs.filter { $0.end > $0.start }.map { DateInterval(start: $0.start, end: $0.end) })
    }

    private struct Run {
        var start: Date
        var duration = CalendarDuration()
        /// The time taken by partial refunds, in seconds.
        var refunded: TimeInterval = 0
        var products: Set<ProductID> = []

        /// The end as if nothing had been refunded.
        private var fullEnd: Date { duration.end(from: start) }

        var end: Date { fullEnd.addingTimeInterval(-refunded) }

        /// Extends the run by a purchase.
        mutating func add(_ purchase: Purchase<NonRenewingSubscription>) {
            let transaction = purchase.transaction
            let before = fullEnd
            duration = duration + purchase.terms.duration.times(purchase.unitsLeft)
            products.insert(transaction.productID)
            guard transaction.quantity == 1, let revocation = transaction.revocation else { return }
            refunded += TimeInterval(revocation.share.of(Int(fullEnd.timeIntervalSince(before))))
        }
    }

    /// - Parameter purchases: oldest first.
    private static func runs(of purchases: [Purchase<Self>]) -> [Run] {
        purchases.reduce(into: []) { runs, purchase in
            let start = purchase.transaction.purchaseDate
            var run = Run(start: start)
            if let last = runs.last, start < last.end { run = runs.removeLast() }
            run.add(purchase)
            runs.append(run)
        }
    }
}

extension Purchase<NonRenewingSubscription> {
    /// The number of units left after a refund; of a single unit the refund shortens the time instead.
    fileprivate var unitsLeft: Int {
        guard transaction.quantity > 1, let revocation = transaction.revocation else { return transaction.quantity }
        return revocation.share.unitsLeft(of: transaction.quantity)
    }
}
