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
        /// `priceIncreaseStatus`: 0 asked, 1 consented.
        var priceIncreaseStatus: Int?
        /// What the next renewal is made under.
        var nextOffer: Offer?
        /// Of the product that it renews to, where that differs.
        var nextPeriod: CalendarDuration?
        /// Of the whole line, oldest first.
        var extensions: [RenewalExtension]?
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
    var offer: Offer?
    /// Of a prorated refund, in thousandths of a percent (`revocationPercentage`).
    var revocationPercentage: Int?
    /// The app's server said that it is delivered.
    var isFinished: Bool?
    /// Counts the changes to one customer's purchases: this one's last.
    var change: Int?

    var customer: Customer {
        Customer(app: transaction.app, environment: transaction.environment, name: customerName)
    }
}

extension Array where Element == StoredPurchase {
    /// Most apps finish consumables at once on the device, and what is finished leaves the receipt; the simulator never
    /// hears of that, so a day stands for it.
    static var consumableLifetime: TimeInterval { 86_400 }

    /// What stands in the customer's app receipt at `date`.
    func receiptContent(at date: Date) -> [StoredPurchase] {
        filter { purchase in
            let isOld = date.timeIntervalSince(purchase.recordedDate) > Self.consumableLifetime
            return purchase.transaction.productType != .consumable || !(isOld || purchase.isFinished == true)
        }
    }
}
