public import Foundation

/// Why the store did not judge a receipt.
public struct Unavailability: Hashable, Sendable {
    public enum Cause: String, Codable, Sendable {
        /// Ask again later.
        case temporary
        /// Status 21002: malformed or a temporary trouble, Apple does not say which. To be asked a few times more; if
        /// it stays, the receipt is malformed.
        case ambiguous
        /// What this server shows the store is wrong: the shared secret, or the key. The receipt is kept, asked again
        /// slowly, and the operator is told.
        case misconfigured
        /// Status 21000 or 21001: the store says that the request was wrong, not the receipt. That is a mistake of this
        /// server, and none of the player. To be asked a few times more, hours apart; if it stays, the receipt is
        /// `unsupported`, and the operator is told.
        case badRequest
    }

    /// What an operator sets up so that the store answers.
    public enum Credential: String, Sendable {
        /// For `verifyReceipt`.
        case sharedSecret
        /// For the App Store Server API: issuer ID, key ID, private key and bundle ID.
        case serverAPIKey
    }

    public var cause: Cause
    /// What the store refuses; nil unless the cause is `misconfigured`.
    public var credential: Credential?
    /// For the operator's log; never holds a part of the receipt, or a secret.
    public var detail: String
    /// Before it there is no use in asking again; nil where nobody knows.
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
