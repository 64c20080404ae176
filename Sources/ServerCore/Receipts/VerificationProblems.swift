import HTTPTypes
import InAppPurchase
package import ServerHTTP

extension VerificationUnavailable: ProblemConvertible {
    package var problem: Problem { clockTrouble == nil ? .busy : .clockIsBehind }
    package var isOurs: Bool { clockTrouble != nil }
}

extension Problem {
    static let busy = Problem(
        .serviceUnavailable, "busy", "Too many messages from unknown signers are waiting for verification",
        detail: "Nothing was recorded. Send it again.", retryAfter: 5)

    /// In seconds: people correct a clock.
    private static let clockRetryAfter = 300

    fileprivate static let clockIsBehind = Problem(
        .serviceUnavailable, "busy", "This server's clock is behind the store's",
        detail: "Nothing was recorded. Send it again.", retryAfter: clockRetryAfter)
}
