public import Foundation
public import InAppPurchase

/// Access for a time that only this server knows: the store neither tells its end nor restores it.
///
/// All purchases of the product, or of its group, lie on one timeline. One that is bought before the current run ends
/// extends the run; one after it starts a new run. A run ends at its start plus the sum of its durations, so that three
/// months from 31 January end on 30 April and the second of them on 31 March.
public struct NonRenewingSubscription: ProductHandler {
    public static let productType = ProductType.nonRenewing

    /// What one unit gives, counted in the UTC Gregorian calendar.
    public var duration: CalendarDuration
    /// Products of one group share a timeline; without it the product has its own.
    public var group: String?

    public init(duration: CalendarDuration, group: String? = nil) { (self.duration, self.group) = (duration, group) }

    /// Granted to the end of a run that goes on and that holds a purchase of `product`; refunded purchases count for
    /// nothing.
    public static func entitlement(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> Entitlement {
        let purchases = history.purchases.filter { $0.transaction.revocation == nil }
        let run = runs(of: purchases).first { $0.end > date && $0.products.contains(product) }
        let denial = purchases.contains { $0.transaction.productID == product } ? DenialReason.expired : .revoked
        return Entitlement(
            access: run.map { .granted(until: $0.end) } ?? .denied(denial), credits: history.credits(of: product))
    }

    private struct Run {
        var start: Date
        var duration = CalendarDuration()
        var products: Set<ProductID> = []

        var end: Date { duration.end(from: start) }
    }

    /// - Parameter purchases: oldest first.
    private static func runs(of purchases: [Purchase<Self>]) -> [Run] {
        purchases.reduce(into: []) { runs, purchase in
            let transaction = purchase.transaction
            var run = Run(start: transaction.purchaseDate)
            if let last = runs.last, transaction.purchaseDate < last.end { run = runs.removeLast() }
            run.duration = run.duration + purchase.terms.duration.times(transaction.quantity)
            run.products.insert(transaction.productID)
            runs.append(run)
        }
    }
}
