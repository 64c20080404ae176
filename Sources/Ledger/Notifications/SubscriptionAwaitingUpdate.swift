package import Foundation
package import InAppPurchase

/// A subscription whose paid period ended, and about which the App Store must be asked.
package struct SubscriptionAwaitingUpdate: Hashable, Sendable {
    /// The time in seconds after which the App Store stops trying to bill: 60 days (Apple, "billing retry").
    package static let window: TimeInterval = 60 * 86_400
    /// The time in seconds for which the App Store's statement that it is in billing retry is taken for an answer.
    package static let retryWindow: TimeInterval = 86_400
    /// The delay in seconds before asking. Renewals are reported some minutes late; an earlier request would be in
    /// vain.
    package static let delay: TimeInterval = 600

    package var original: OriginalTransaction.Key
    /// The end of the newest known period.
    package var end: Date

    /// Creates an entry if the App Store must be asked; `nil` if its statement is newer than the end, and either is not
    /// billing retry or is not older than ``retryWindow``.
    ///
    /// - Parameter facts: the App Store's newest statement about the original transaction.
    package init?(_ original: OriginalTransaction.Key, end: Date, facts: RenewalFacts?, at date: Date) {
        if let facts, facts.signedDate >= end {
            guard facts.isInBillingRetry, date.timeIntervalSince(facts.signedDate) > Self.retryWindow else {
                return nil
            }
        }
        self.original = original
        self.end = end
    }
}
