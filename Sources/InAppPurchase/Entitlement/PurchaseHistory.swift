import Foundation

/// The purchases of an account in one app and environment, of one product or of one group.
public struct PurchaseHistory<Terms: Sendable>: Sendable {
    /// The purchases, oldest first, including revoked ones. Restored copies count as the purchase they restore.
    public var purchases: [Purchase<Terms>]
    /// The latest renewal state of each subscription, by original transaction ID.
    public var renewals: [TransactionID: RenewalFacts]

    /// Sorts the purchases, and keeps only one of all restored copies of a purchase.
    public init(purchases: [Purchase<Terms>], renewals: [TransactionID: RenewalFacts] = [:]) {
        // Most accounts buy once, and a dictionary and a sort cost more than all else here.
        self.purchases =
            purchases.count < 2
            ? purchases
            : purchases.restoredCopiesCollapsed().sorted { $0.transaction.isOlder(than: $1.transaction) }
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
    /// The purchases with only one for each original transaction outside subscriptions, whose restored copies have IDs
    /// of their own: the original if it is known.
    fileprivate func restoredCopiesCollapsed<Terms>() -> [Purchase<Terms>] where Element == Purchase<Terms> {
        var places: [OriginalTransaction.Key: Int] = [:]
        return reduce(into: []) { purchases, purchase in
            let transaction = purchase.transaction
            guard transaction.expirationDate == nil, let place = places[transaction.originalTransactionKey] else {
                if transaction.expirationDate == nil { places[transaction.originalTransactionKey] = purchases.count }
                purchases.append(purchase)
                return
            }
            if transaction.standsForOriginalBefore(purchases[place].transaction) { purchases[place] = purchase }
        }
    }
}

extension Transaction {
    fileprivate func isOlder(than other: Transaction) -> Bool { (purchaseDate, id) < (other.purchaseDate, other.id) }

    fileprivate func standsForOriginalBefore(_ other: Transaction) -> Bool {
        if id == originalID || other.id == originalID { return id == originalID }
        return id < other.id
    }
}
