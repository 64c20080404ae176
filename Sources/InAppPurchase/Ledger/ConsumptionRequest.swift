public import Foundation

public struct ConsumptionRequest: Hashable, Sendable {
    /// The store wants its answer within this time; later it decides without (Apple, CONSUMPTION_REQUEST).
    public static let patience: TimeInterval = 12 * 3_600

    public enum Outcome: String, Sendable {
        case answered
        case withoutConsent
        /// The store refuses the answer.
        case refused
        case tooLate
        /// The app has no key for the store's API.
        case withoutKey
    }

    /// The notification's.
    public var id: String
    public var transaction: Transaction.Key
    /// When the store asked.
    public var date: Date

    public init(id: String, transaction: Transaction.Key, date: Date) {
        self.id = id
        self.transaction = transaction
        self.date = date
    }

    public func isTooLate(at now: Date) -> Bool { now.timeIntervalSince(date) > Self.patience }
}
