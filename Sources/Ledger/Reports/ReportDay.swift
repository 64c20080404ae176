package import Foundation
import InAppPurchase

/// A day in UTC, by its number since 1970-01-01.
package struct ReportDay: Hashable, Comparable, Sendable {
    private static let milliseconds = 86_400_000

    package var number: Int

    package init(_ number: Int) { self.number = number }

    /// The day of an instant.
    package init(of date: Date) {
        let (days, rest) = date.milliseconds.quotientAndRemainder(dividingBy: Self.milliseconds)
        number = rest < 0 ? days - 1 : days
    }

    /// The first instant.
    package var start: Date { Date(milliseconds: number.saturatingMultiplied(by: Self.milliseconds)) }

    /// The instant after the last one.
    package var end: Date { adding(1).start }

    /// The day as the rows of reports name it, such as `2026-11-01`.
    package var name: String { String(start.rfc3339.prefix(10)) }

    package func adding(_ days: Int) -> ReportDay { ReportDay(number.saturatingAdding(days)) }

    package static func < (one: ReportDay, other: ReportDay) -> Bool { one.number < other.number }
}
