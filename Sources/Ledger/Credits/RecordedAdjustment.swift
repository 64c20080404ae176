package import Foundation

/// A recorded adjustment with the balance that was answered.
package struct RecordedAdjustment: Sendable {
    package var adjustment: Adjustment
    /// The balance after the adjustment.
    package var balance: Int
    package var actor: String
    package var reason: String
    package var date: Date

    package init(adjustment: Adjustment, balance: Int, actor: String, reason: String, date: Date) {
        self.adjustment = adjustment
        self.balance = balance
        self.actor = actor
        self.reason = reason
        self.date = date
    }
}

/// A recorded spend with the balance that was answered.
package struct RecordedSpend: Sendable {
    package var spend: Spend
    /// The balance after the spend.
    package var balance: Int
    package var date: Date

    package init(spend: Spend, balance: Int, date: Date) {
        self.spend = spend
        self.balance = balance
        self.date = date
    }
}
