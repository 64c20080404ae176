/// The number of times that the App Store was asked about a receipt or notification, by outcome.
package struct Attempts: Hashable, Sendable {
    package var count: Int
    /// The number of consecutive 21002 answers, which can mean "malformed" or "try again later". Of a transaction ID
    /// the number of answers that the store does not know it; it may know it later.
    package var ambiguous: Int
    /// The number of answers that the request itself was wrong (21000, 21001).
    package var badRequests: Int
    /// The trouble of the latest attempt; `nil` if there was none yet, or if it is not known. Recorded for receipts
    /// only.
    package var trouble: Trouble?

    package init(count: Int = 0, ambiguous: Int = 0, badRequests: Int = 0, trouble: Trouble? = nil) {
        self.count = count
        self.ambiguous = ambiguous
        self.badRequests = badRequests
        self.trouble = trouble
    }

    /// Why the store did not say whether a receipt is genuine.
    package enum Trouble: String, Sendable {
        /// It did not answer, or asked to wait.
        case outage
        /// It answered in a way that can mean either trouble of its own or a malformed receipt (21002).
        case ambiguous
        /// It refused this server's key or shared secret (21004): somebody has to correct it.
        case refusedCredential
        /// It called the request invalid (21000, 21001): a mistake of this server.
        case badRequest
        /// It does not know the transaction ID (yet).
        case notFound
        /// It was signed later than this machine's clock says: somebody has to correct the clock.
        case clock
    }

    /// Whether the App Store answered, but without a definite result, as opposed to being unavailable. Such a receipt
    /// keeps its retry time and is not retried earlier when an outage ends.
    package var areAmbiguous: Bool { ambiguous > 0 || badRequests > 0 }
}
