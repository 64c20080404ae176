import Foundation
import InAppPurchase
import NIOHTTP1

extension HTTPHeaders {
    /// When to try again. The store writes milliseconds since 1970, against HTTP's custom (Apple, "Identifying rate
    /// limits"); a number that is too small for a date is one of seconds (RFC 9110 §10.2.3).
    ///
    /// Nil where it says nothing that can be read. Neither in the past nor further away than an hour, since the store
    /// counts by the hour.
    func retryDate(at now: Date) -> Date? {
        guard let text = first(name: "Retry-After"), text.isDecimal, let number = Int(text) else { return nil }
        // 10^11 ms were over in 1973, and 10^11 s are 3000 years.
        let date = number > 100_000_000_000 ? Date(milliseconds: number) : now.addingTimeInterval(Double(number))
        return Swift.min(
            Swift.max(date, now), now.addingTimeInterval(TimeInterval(RequestPacer.maximumPause.components.seconds)))
    }
}
