public import Foundation

/// What became of a test notification.
public struct TestNotification: Hashable, Sendable {
    public struct Attempt: Hashable, Sendable {
        public var date: Date
        /// The store's word: `SUCCESS`, `TIMED_OUT`, `TLS_ISSUE`, and others (Apple, `sendAttemptResult`).
        public var result: String
    }

    public var signedPayload: String
    /// Empty where it was not sent yet.
    public var attempts: [Attempt]
}
