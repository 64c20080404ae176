package import Foundation
package import InAppPurchase

/// A request of the App Store for consumption information about a purchase.
package struct ConsumptionRequest: Hashable, Sendable {
    /// The time in seconds within which the App Store expects the answer; later it decides without one (Apple,
    /// CONSUMPTION_REQUEST).
    package static let lifetime: TimeInterval = 12 * 3_600
    /// The time in seconds after which a request that arrives is not the App Store's first attempt to send it: the
    /// second one comes after an hour (Apple, "Responding to App Store Server Notifications").
    package static let promptTime: TimeInterval = 1_800

    package enum Outcome: String, Sendable {
        case answered
        /// The transaction is not recorded with an owner, or the account that was credited for it did not consent.
        case withoutConsent
        /// The App Store refuses the answer.
        case refused
        case tooLate
        /// The app has no key for the App Store Server API.
        case withoutKey
    }

    /// The ID of the notification.
    package var id: String
    package var transaction: Transaction.Key
    /// The date of the request.
    package var date: Date

    package init(id: String, transaction: Transaction.Key, date: Date) {
        self.id = id
        self.transaction = transaction
        self.date = date
    }

    /// Returns whether the App Store no longer expects the answer.
    package func isTooLate(at now: Date) -> Bool { now.timeIntervalSince(date) > Self.lifetime }
}

/// The consumption of a purchase, as recorded.
package struct ConsumptionReport: Hashable, Sendable {
    package enum DeliveryStatus: Hashable, Sendable {
        case delivered
        /// Nothing was delivered before the App Store asked, and its request did not arrive when it was sent, as
        /// earlier notifications had. What was delivered since is not consumed.
        case serverOutage
        /// Not delivered for another reason, such as a product that the catalog does not have.
        case undelivered
    }

    package var deliveryStatus: DeliveryStatus
    /// Whether the app gives something away that its customers can try: open bundles, or credits to start with.
    package var hasSample: Bool
    /// The consumed part in thousandths of a percent; `nil` if it cannot be measured: only credits are counted, not
    /// access.
    package var consumedMilliPercent: Int?

    package init(_ deliveryStatus: DeliveryStatus, hasSample: Bool = false, consumedMilliPercent: Int?) {
        self.deliveryStatus = deliveryStatus
        self.hasSample = hasSample
        self.consumedMilliPercent = consumedMilliPercent
    }
}
