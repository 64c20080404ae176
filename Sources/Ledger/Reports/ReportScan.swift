package import Foundation
package import InAppPurchase

/// Transactions that a report reads, by one of their dates. Those that a sandbox reset forgot are left out.
package struct ReportScan: Hashable, Sendable {
    /// The date that is compared.
    package enum Selection: Hashable, Sendable {
        case purchased
        case revoked
        /// The end of a period.
        case expiring
        /// The end of a period that was bought before ``ReportScan/from``.
        case running
    }

    /// The maximum length of a period in seconds: a year, two extensions by the App Store of 90 days each, and some
    /// days.
    static let maximumPeriod: TimeInterval = Double(maximumPeriodInDays) * 86_400
    package static let maximumPeriodInDays = 600

    package var selection: Selection
    /// Whether the transactions with an owner are read, or those that wait for one.
    package var isClaimed: Bool
    package var environment: Environment
    /// The only app that is read; `nil` for all.
    package var app: BundleID?
    /// The first instant, a whole millisecond.
    package var from: Date
    /// The instant after the last one.
    package var to: Date
}
