package import InAppPurchase
package import Foundation

package struct SubscriptionAwaitingUpdate: Hashable, Sendable {
    /// The store gives up billing after 60 days (Apple, "billing retry").
    package static let window: TimeInterval = 60 * 86_400
    /// How long the store's word that it still tries to bill is taken for an answer.
    package static let retryWindow: TimeInterval = 86_400
    /// Renewals are told late by some minutes; asking earlier is asking for nothing.
    package static let delay: TimeInterval = 600

    package var original: OriginalTransaction.Key
    /// The end of the newest period that is known.
    package var end: Date

    /// Nil where the store's word is newer than the end.
    ///
    /// - Parameter facts: the store's newest word on the original transaction.
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
