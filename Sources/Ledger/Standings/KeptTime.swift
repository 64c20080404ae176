import Foundation
import InAppPurchase

/// A time whose published versions stay accessible after a subscription has ended.
struct KeptTime: Codable, Hashable, Sendable {
    var start: Date
    var end: Date
    /// The original transaction whose newest period this is: its grace period extends it; `nil` if there is none.
    var renewing: TransactionID?

    /// The range, extended by the grace period.
    func range(_ renewal: RenewalFacts?) -> Range<Date> {
        start..<max(start, end, renewal?.gracePeriodExpirationDate ?? end)
    }
}
