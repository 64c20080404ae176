import Foundation
import InAppPurchase

/// One purchase or renewal as the simulated store knows it.
struct StoredPurchase: Codable, Sendable {
    /// What only auto-renewable subscriptions have.
    struct Subscription: Codable, Sendable {
        /// Names the purchase of this period (`webOrderLineItemId`).
        var webOrderLineItemID: String
        var period: CalendarDuration
        /// Of the periods without a gap that this one belongs to (`recentSubscriptionStartDate`).
        var recentStartDate: Date
        /// Of the line as of this period; the newest period's is the line's.
        var renewal: RenewalFacts
    }

    var transaction: Transaction
    var customerName: String
    /// When the store took the order, whatever purchase date was asked for.
    var recordedDate: Date
    /// Counts the transactions of a line from 1.
    var number: Int
    /// A renewal, not a purchase by the customer (`transactionReason`).
    var isRenewal: Bool
    var subscription: Subscription?

    var customer: Customer {
        Customer(app: transaction.app, environment: transaction.environment, name: customerName)
    }
}

extension Array where Element == StoredPurchase {
    /// Apps finish consumables at once, and what is finished leaves the receipt; the simulator never hears of it, so a
    /// day stands for it.
    static var consumableLifetime: TimeInterval { 86_400 }

    /// What stands in the customer's app receipt at `date`.
    func receiptContent(at date: Date) -> [StoredPurchase] {
        filter { purchase in
            purchase.transaction.productType != .consumable
                || date.timeIntervalSince(purchase.recordedDate) <= Self.consumableLifetime
        }
    }
}
