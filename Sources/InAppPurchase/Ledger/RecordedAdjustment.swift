public import Foundation

/// An adjustment as it was answered.
public struct RecordedAdjustment: Sendable {
    public var adjustment: Adjustment
    /// The balance after it.
    public var balance: Int
    public var actor: String
    public var reason: String
    public var date: Date

    public init(adjustment: Adjustment, balance: Int, actor: String, reason: String, date: Date) {
        self.adjustment = adjustment
        self.balance = balance
        self.actor = actor
        self.reason = reason
        self.date = date
    }
}
