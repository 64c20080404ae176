public import Foundation

/// The status of a test notification.
public struct TestNotification: Hashable, Sendable {
    /// An attempt of the App Store to send it.
    public struct Attempt: Hashable, Sendable {
        /// The date of the attempt (`attemptDate`).
        public var date: Date
        /// Apple's `sendAttemptResult`: `SUCCESS`, `TIMED_OUT`, `TLS_ISSUE`, and others.
        public var result: String
    }

    /// The notification as it was sent, signed.
    public var signedPayload: String
    /// The attempts; empty if it was not sent yet.
    public var attempts: [Attempt]
}
