public import Foundation

/// The reason why the App Store has not verified a receipt or answered a request. Equal if the cause is equal.
public struct Unavailability: Hashable, Sendable {
    /// The cause, which decides when to try again.
    public enum Cause: String, Codable, Sendable {
        /// A temporary failure: try again later.
        case temporary
        /// Status 21002: the receipt is malformed, or the failure is temporary; Apple does not say which. To be tried a
        /// few times more; if it stays, the receipt is malformed.
        case ambiguous
        /// This server's shared secret or key is wrong. The receipt stays pending, is tried again at long intervals,
        /// and the operator is told.
        case misconfigured
        /// Status 21000 or 21001, or ``AppStoreServerError/refused(_:)``: according to the App Store the request was
        /// wrong, not the receipt. That is a mistake of this server and not of the player. To be tried a few times
        /// more, hours apart; if it stays, the receipt's signature alone counts, or the receipt is `unsupported`, and
        /// the operator is told.
        case badRequest
    }

    /// The credentials that an operator configures for Apple's APIs.
    public enum Credential: String, Sendable {
        /// The app's shared secret for `verifyReceipt`.
        case sharedSecret
        /// The key for the App Store Server API: issuer ID, key ID, private key and bundle ID.
        case serverAPIKey
    }

    /// The cause.
    public var cause: Cause
    /// The credential that the App Store refused; `nil` unless the cause is `misconfigured`.
    public var credential: Credential?
    /// Details for the operator's log; never contains a part of the receipt, or a secret.
    public var detail: String
    /// The date before which another attempt is of no use; `nil` if it is not known.
    public var retryDate: Date?

    public init(
        _ cause: Cause, _ detail: String = "", retryDate: Date? = nil, credential: Credential? = nil
    ) {
        self.credential = credential
        self.cause = cause
        self.detail = detail
        self.retryDate = retryDate
    }

    public static func == (left: Self, right: Self) -> Bool { left.cause == right.cause }

    public func hash(into hasher: inout Hasher) { hasher.combine(cause) }
}
