import Foundation
import InAppPurchase

/// The App Store's three formats of a date in `verifyReceipt` responses and iOS 6 receipts.
struct StoreDate {
    private static let pacificZone =
        TimeZone(identifier: "America/Los_Angeles") ?? TimeZone(secondsFromGMT: -8 * 3600) ?? .gmt

    var date: Date

    init(_ date: Date) { self.date = date }

    /// `2026-11-20 21:37:00 Etc/GMT`
    var gmt: String { text(in: .gmt) + " Etc/GMT" }

    /// `2026-11-20 13:37:00 America/Los_Angeles`
    var pacific: String { text(in: Self.pacificZone) + " America/Los_Angeles" }

    /// Milliseconds since 1970, as a string.
    var milliseconds: String { String(date.milliseconds) }

    private func text(in zone: TimeZone) -> String {
        date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                    \(second: .twoDigits)
                    """,
                locale: Locale(identifier: "en_US_POSIX"), timeZone: zone, calendar: Calendar(identifier: .gregorian)))
    }
}
