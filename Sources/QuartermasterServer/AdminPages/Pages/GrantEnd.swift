import Foundation
import InAppPurchase

/// The end of the access to a given product, from the last day that a form has.
struct GrantEnd: Hashable, Sendable {
    /// The beginning of the day after the last one, in UTC; `nil` if there is no end.
    let date: Date?

    /// - Parameter lastDay: such as `2026-12-31`; `nil` for no end.
    /// - Returns: `nil` if it is no day.
    init?(lastDay: String?) {
        guard let lastDay else {
            date = nil
            return
        }
        guard let day = Date(rfc3339: "\(lastDay)T00:00:00Z") else { return nil }
        date = day.addingTimeInterval(86_400)
    }
}
