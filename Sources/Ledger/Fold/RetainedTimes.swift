package import Foundation

/// The times of subscriptions whose terms keep access to what was published meanwhile
/// (``/InAppPurchase/AfterExpiry/keep``).
package struct RetainedTimes: Hashable, Sendable {
    /// Ranges that do not touch, oldest first. The end of each is the first moment after it.
    package let ranges: [Range<Date>]

    package init(_ ranges: [Range<Date>] = []) {
        self.ranges = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { merged, range in
                guard let last = merged.last, range.lowerBound <= last.upperBound else { return merged.append(range) }
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ date: Date) -> Bool { ranges.contains { $0.contains(date) } }
}
