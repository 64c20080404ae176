package import Foundation

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
