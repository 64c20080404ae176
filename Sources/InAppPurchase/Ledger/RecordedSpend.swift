public import Foundation

/// A spend as it was answered.
public struct RecordedSpend: Sendable {
    public var spend: Spend
    /// The balance after it.
    public var balance: Int
    public var date: Date

    public init(spend: Spend, balance: Int, date: Date) {
        self.spend = spend
        self.balance = balance
        self.date = date
    }
}
