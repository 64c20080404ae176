import Foundation
import InAppPurchase
import NIOHTTP1
import StoreClient

extension HTTPHeaders {
    /// The date in `Retry-After`. Apple writes milliseconds since 1970, against HTTP's definition (Apple, "Identifying
    /// rate limits"); a number too small for a date is one of seconds (RFC 9110 §10.2.3).
    ///
    /// `nil` if the header is missing or cannot be read. The date is neither in the past nor more than an hour away,
    /// since Apple counts by the hour.
    func retryDate(at now: Date) -> Date? {
        guard let text = first(name: "Retry-After"), text.isDecimal, let number = Int(text) else { return nil }
        // 10^11 ms since 1970 ended in 1973, and 10^11 s are 3000 years.
        let date = number > 100_000_000_000 ? Date(milliseconds: number) : now.addingTimeInterval(Double(number))
        let maximumPause = TimeInterval(RequestPacer<RateLimitKey>.maximumPause.components.seconds)
        return Swift.min(Swift.max(date, now), now.addingTimeInterval(maximumPause))
    }
}
