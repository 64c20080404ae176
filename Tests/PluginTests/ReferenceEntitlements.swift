import Foundation
import InAppPurchase

@testable import AutoRenewableSubscription
@testable import Consumable
@testable import NonConsumable
@testable import NonRenewingSubscription

/// A handler whose entitlements are stated a second time, by all purchases of a history.
protocol Referenced: CondensingHandler {
    static func referenceAccess(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> (access: Access, runs: [DateInterval])
}

extension NonConsumable: Referenced {
    static func referenceAccess(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> (access: Access, runs: [DateInterval]) {
        let isOwned = history.purchases.contains { $0.transaction.productID == product && !$0.isRevoked }
        return (isOwned ? .granted(until: nil) : .denied(.revoked), [])
    }
}

extension Consumable: Referenced {
    static func referenceAccess(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> (access: Access, runs: [DateInterval]) {
        let purchases = history.purchases.filter { $0.transaction.productID == product && !$0.isRevoked }
        let latest = purchases.max { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
        guard let latest else { return (.denied(.revoked), []) }
        guard latest.terms.bundles?.isEmpty == false else { return (.denied(.consumed), []) }
        let end = latest.transaction.purchaseDate + TimeInterval(latest.terms.redownloadHours) * 3_600
        return (date < end ? .granted(until: end) : .denied(.expired), [])
    }
}

extension NonRenewingSubscription: Referenced {
    static func referenceAccess(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> (access: Access, runs: [DateInterval]) {
        let purchases = history.purchases.filter { !$0.isRevoked }
        let timeline = purchases.reduce(into: [Run]()) { runs, purchase in
            if let last = runs.last, purchase.transaction.purchaseDate < last.end {
                runs[runs.endIndex - 1].add(purchase)
            } else {
                runs.append(Run(purchase))
            }
        }
        let runs = timeline.filter { $0.products.contains(product) }
        let denial = purchases.contains { $0.transaction.productID == product } ? DenialReason.expired : .revoked
        return (
            runs.first { $0.end > date }.map { .granted(until: $0.end) } ?? .denied(denial),
            runs.filter { $0.end > $0.start }.map { DateInterval(start: $0.start, end: $0.end) }
        )
    }
}

extension AutoRenewableSubscription: Referenced {
    static func referenceAccess(
        to product: ProductID, given history: PurchaseHistory<Self>, at date: Date
    ) -> (access: Access, runs: [DateInterval]) {
        let paid = history.purchases.filter { !$0.transaction.isUpgraded }
        let originals = Dictionary(grouping: paid, by: \.transaction.originalID).compactMap { original, purchases in
            let periods = purchases.map(Period.init).sorted { $0.recency < $1.recency }
            return SubscriptionPeriods(of: original, periods).rankedAccess(history.renewals[original], at: date)
        }
        if let best = originals.min(by: { $0.rank < $1.rank }), best.product == product {
            let ends = originals.filter { $0.product == product }.compactMap(\.end)
            return (ends.max().map { .granted(until: $0) } ?? best.access, [])
        }
        let own = history.purchases.filter { $0.transaction.productID == product }.map(Period.init)
        let newest = own.min { $0.recency < $1.recency }
        return (.denied(newest?.reasonSuperseded(at: date) ?? .expired), [])
    }
}
