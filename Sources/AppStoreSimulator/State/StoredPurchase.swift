import Foundation
import InAppPurchase

/// One purchase or renewal as the simulator stores it.
struct StoredPurchase: Codable, Sendable {
    /// The members that only auto-renewable subscriptions have.
    struct Subscription: Codable, Sendable {
        /// The ID of the purchase of this period (`webOrderLineItemId`).
        var webOrderLineItemID: String
        var period: CalendarDuration
        /// The start of the periods without a gap that this one belongs to (`recentSubscriptionStartDate`).
        var recentStartDate: Date
        /// The state of the next renewal as of this period; the newest period's is the current one.
        var renewal: RenewalFacts
        /// `priceIncreaseStatus`: 0 asked, 1 consented.
        var priceIncreaseStatus: Int?
        /// The offer of the next renewal; `nil` for none.
        var nextOffer: Offer?
        /// The period of the product of the next renewal, if that differs.
        var nextPeriod: CalendarDuration?
        /// The extensions of the whole original transaction, oldest first.
        var extensions: [SimulatorRenewalExtension]?
        /// Whether it renews and ends by itself at its dates; otherwise only by acts.
        var renewsByItself: Bool
        /// Whether its periods are as short as in the sandbox.
        var isAccelerated: Bool
        /// The number of renewals since the customer subscribed.
        var renewals: Int
        /// The price of a period without an offer, in milliunits.
        var standardPrice: Int?
        /// The price from the next renewal on, if that differs: after a price increase, and of the next product.
        var nextPrice: Int?
        /// The date since which the App Store has tried to charge the customer.
        var retryStart: Date?
        /// The date when charging succeeds again; `nil` for never.
        var recoveryDate: Date?
        /// The product's win-back offers, best first.
        var winBackOffers: [String]?
        /// How it is billed; `nil` if the purchase did not say.
        var billingPlan: BillingPlan?
        /// The number of the period within its commitment, from 1; `nil` without one.
        var billingPeriodNumber: Int?
    }

    var transaction: Transaction
    var customerName: String
    /// The date when the purchase was made, whatever purchase date was asked for.
    var recordedDate: Date
    /// The number of the transaction within its original transaction, from 1.
    var number: Int
    /// Whether it is a renewal and not a purchase by the customer (`transactionReason`).
    var isRenewal: Bool
    var subscription: Subscription?
    var offer: Offer?
    /// The share of a prorated refund in thousandths of a percent (`revocationPercentage`).
    var revocationPercentage: Int?
    /// Whether the app's server marked it as finished.
    var isFinished = false
    /// The number of its last change among the changes to the customer's purchases.
    var change = 0
    /// The amount that the customer paid, in milliunits of ``currency``; of a subscription that for one seat.
    var price: Int?
    /// The currency (ISO 4217).
    var currency: String?
    /// The country of the customer's storefront.
    var storefront: String
    /// The original transactions of the family members who share it.
    var familyOriginals: [TransactionID] = []
    /// The transaction that this is a restored copy of; `nil` if it is none.
    var copyOf: TransactionID?
    /// The seats of a subscription for a group; `nil` for one person's.
    var seats: Seats?

    var customer: Customer { Customer(app: transaction.app, environment: transaction.environment, name: customerName) }

    /// The transaction whose present state this one has: of a restored copy what was bought, of added seats the first
    /// of the period; `nil` for none.
    var leader: TransactionID? { copyOf ?? seats?.addedTo }

    /// The transaction with the present state of its ``leader``. A copy is the same purchase; added seats are refunded
    /// by themselves.
    func following(_ leader: StoredPurchase) -> StoredPurchase {
        var follower = self
        follower.transaction.isUpgraded = leader.transaction.isUpgraded
        follower.transaction.expirationDate = leader.transaction.expirationDate
        follower.subscription = leader.subscription
        if copyOf == nil {
            if let item = subscription?.webOrderLineItemID { follower.subscription?.webOrderLineItemID = item }
            if let renewing = leader.seats?.renewing { follower.seats?.renewing = renewing }
        } else {
            follower.transaction.revocation = leader.transaction.revocation
            follower.revocationPercentage = leader.revocationPercentage
            follower.seats = leader.seats
        }
        // What changed is found by its revision, also in the follower.
        if follower.customer == leader.customer { follower.change = max(change, leader.change) }
        return follower
    }

    /// The order of the periods of an original transaction. The first transaction of a period comes after those that
    /// added seats to it: its state is that of the subscription.
    static func isEarlierPeriod(_ left: StoredPurchase, _ right: StoredPurchase) -> Bool {
        (left.number, left.isSeatAddition ? 0 : 1) < (right.number, right.isSeatAddition ? 0 : 1)
    }

    /// The order of a customer's purchases.
    static func isOlder(_ left: StoredPurchase, _ right: StoredPurchase) -> Bool {
        (left.recordedDate, left.number, left.transaction.id) < (right.recordedDate, right.number, right.transaction.id)
    }
}

extension StoredPurchase.Subscription {
    var pace: Pace { isAccelerated ? .accelerated : .real }
}

extension Array where Element == StoredPurchase {
    /// The time in seconds after which a consumable leaves the receipt. Most apps finish consumables at once on the
    /// device, and finished ones leave the receipt; the simulator never learns of that, so a day stands for it.
    static var consumableLifetime: TimeInterval { 86_400 }

    /// The purchases in the customer's app receipt at `date`.
    func receiptContent(at date: Date) -> [StoredPurchase] {
        filter { purchase in
            let isOld = date.timeIntervalSince(purchase.recordedDate) > Self.consumableLifetime
            return purchase.transaction.productType != .consumable || !(isOld || purchase.isFinished)
        }
    }
}
