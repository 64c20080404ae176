/// The number of times that the App Store was asked about a receipt or notification, by outcome.
package struct Attempts: Hashable, Sendable {
    package var count: Int
    /// The number of consecutive 21002 answers, which can mean "malformed" or "try again later".
    package var ambiguous: Int
    /// The number of answers that the request itself was wrong (21000, 21001).
    package var badRequests: Int

    package init(count: Int = 0, ambiguous: Int = 0, badRequests: Int = 0) {
        self.count = count
        self.ambiguous = ambiguous
        self.badRequests = badRequests
    }

    /// Whether the App Store answered, but without a definite result, as opposed to being unavailable. Such a receipt
    /// keeps its retry time and is not retried earlier when an outage ends.
    package var areAmbiguous: Bool { ambiguous > 0 || badRequests > 0 }
}
