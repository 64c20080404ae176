package import Foundation
package import InAppPurchase

/// A request of the App Store for consumption information about a purchase.
package struct ConsumptionRequest: Hashable, Sendable {
    /// The time in seconds within which the App Store expects the answer; later it decides without one (Apple,
    /// CONSUMPTION_REQUEST).
    package static let lifetime: TimeInterval = 12 * 3_600

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
    /// Whether it was delivered to the account.
    package var isDelivered: Bool
    /// The consumed part in thousandths of a percent; `nil` if it cannot be measured: only credits are counted, not
    /// access.
    package var consumedMilliPercent: Int?

    package init(isDelivered: Bool, consumedMilliPercent: Int?) {
        self.isDelivered = isDelivered
        self.consumedMilliPercent = consumedMilliPercent
    }
}
