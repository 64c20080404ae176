package import InAppPurchase
package import Foundation

package struct ConsumptionRequest: Hashable, Sendable {
    /// The store wants its answer within this time; later it decides without (Apple, CONSUMPTION_REQUEST).
    package static let patience: TimeInterval = 12 * 3_600

    package enum Outcome: String, Sendable {
        case answered
        case withoutConsent
        /// The store refuses the answer.
        case refused
        case tooLate
        /// The app has no key for the store's API.
        case withoutKey
    }

    /// The notification's.
    package var id: String
    package var transaction: Transaction.Key
    /// When the store asked.
    package var date: Date

    package init(id: String, transaction: Transaction.Key, date: Date) {
        self.id = id
        self.transaction = transaction
        self.date = date
    }

    package func isTooLate(at now: Date) -> Bool { now.timeIntervalSince(date) > Self.patience }
}
