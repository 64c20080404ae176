/// How often the store was asked about a receipt.
package struct Attempts: Hashable, Sendable {
    package var count: Int
    /// How often in a row the store answered with 21002, which may mean "malformed" and may mean "later".
    package var ambiguous: Int
    /// How often the store answered that the request itself was wrong (21000, 21001).
    package var badRequests: Int

    package init(count: Int = 0, ambiguous: Int = 0, badRequests: Int = 0) {
        self.count = count
        self.ambiguous = ambiguous
        self.badRequests = badRequests
    }

    /// Whether the store had doubts of its own about the question, and not only trouble: it is asked again in its time,
    /// and not sooner because an outage is over.
    package var areAmbiguous: Bool { ambiguous > 0 || badRequests > 0 }
}
