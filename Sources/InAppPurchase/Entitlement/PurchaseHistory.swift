import Foundation

/// The purchases of an account in one app and environment, of one product or of one group.
public struct PurchaseHistory<Terms: Sendable>: Sendable {
    /// The purchases, oldest first, including revoked ones. Restored copies count as the purchase they restore.
    public var purchases: [Purchase<Terms>]
    /// The latest renewal state of each subscription, by original transaction ID.
    public var renewals: [TransactionID: RenewalFacts]

    /// Sorts the purchases, and makes one of all copies of a purchase.
    public init(purchases: [Purchase<Terms>], renewals: [TransactionID: RenewalFacts] = [:]) {
        // Most accounts buy once, and the copies of periods come as one already.
        let isOnce = purchases.count < 2 || purchases.allSatisfy { $0.transaction.expirationDate != nil }
        self.purchases = (isOnce ? purchases : purchases.withoutCopies())
            .sorted { $0.transaction.isOlder(than: $1.transaction) }
        self.renewals = renewals
    }

    /// The credits of one product: once per transaction and unit of quantity, less the refunded share; only
    /// transactions that were bought count, not family-shared ones.
    public func credits(of product: ProductID) -> Credits {
        purchases.reduce(into: [:]) { sum, purchase in
            guard purchase.transaction.productID == product else { return }
            sum.merge(purchase.earnedCredits) { $0.saturatingAdding($1) }
        }
    }
}

extension Array {
    /// One of all copies of a purchase, with what they state together. The ledger gives each purchase once.
    fileprivate func withoutCopies<Terms>() -> [Purchase<Terms>] where Element == Purchase<Terms> {
        grouped(by: \.key).compactMap { copies in
            let merged = Transaction.purchase(of: copies.map(\.transaction))
            guard let merged, var purchase = copies.first(where: { $0.transaction.id == merged.id }) else { return nil }
            purchase.transaction = merged
            return purchase
        }
    }
}

extension Transaction {
    fileprivate func isOlder(than other: Transaction) -> Bool { (purchaseDate, id) < (other.purchaseDate, other.id) }
}
