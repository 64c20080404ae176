import Foundation
import InAppPurchase

/// How fast the time of a subscription passes: as in production, or as in Apple's sandbox.
enum Pace: Sendable {
    case real, accelerated

    /// The number of renewals after which the sandbox ends a subscription (Apple, "Testing in-app purchases with
    /// sandbox").
    static let sandboxRenewals = 12
    /// A month takes 5 minutes, and so each number of months (same place).
    private static let monthInSandbox = 300
    /// A week takes 3 minutes (same place); what is shorter takes 2.
    private static let weekInSandbox = 180
    private static let daysInSandbox = 120

    /// A day of what is counted in days: grace, billing retry, gaps. In the sandbox 60 days take 10 minutes.
    var day: TimeInterval { self == .real ? 86_400 : 10 }

    /// The end of a period that starts at `date`.
    func end(of period: CalendarDuration, from date: Date) -> Date {
        guard self == .accelerated else { return period.end(from: date).wholeMilliseconds }
        let (weeks, days) = period.days.quotientAndRemainder(dividingBy: 7)
        let seconds = period.months.saturatingMultiplied(by: Self.monthInSandbox)
            .saturatingAdding(weeks.saturatingMultiplied(by: Self.weekInSandbox))
            .saturatingAdding(days > 0 ? Self.daysInSandbox : 0).saturatingAdding(period.seconds)
        return CalendarDuration(seconds: seconds).end(from: date).wholeMilliseconds
    }
}
