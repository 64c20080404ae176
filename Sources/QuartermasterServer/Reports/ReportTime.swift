import Foundation
import InAppPurchase

/// The beginning or the end of a report: an RFC 3339 time, or a day, which is its midnight in UTC.
enum ReportTime {
    static let form = "a day such as 2026-11-01, or an RFC 3339 time"

    /// - Returns: `nil` for anything else.
    static func date(_ text: String) -> Date? {
        Date(rfc3339: text) ?? Date(rfc3339: text + "T00:00:00Z")
    }
}
