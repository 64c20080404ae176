public import Foundation

/// The reason why a store has not verified a receipt or answered a request. Equal if the cause is equal.
public struct Unavailability: Hashable, Sendable {
    /// The cause, which decides when to try again.
    public enum Cause: String, Codable, Sendable {
        /// A temporary failure: try again later.
        case temporary
        /// The receipt is malformed, or the failure is temporary; the store does not say which (`verifyReceipt`: status
        /// 21002). To be tried a few times more; if it stays, the receipt is malformed.
        case ambiguous
        /// This server's shared secret or key is wrong. The receipt stays pending, is tried again at long intervals,
        /// and the operator is told.
        case misconfigured
        /// According to the store the request was wrong, not the receipt (`verifyReceipt`: status 21000 or 21001). That
        /// is a mistake of this server and not of the player. To be tried a few times more, hours apart; if it stays,
        /// the receipt's signature alone counts, or the receipt is `unsupported`, and the operator is told.
        case badRequest
        /// The store does not know a transaction of which only the ID is known. It may be too new to be known. To be
        /// tried again for a day; if it stays, the transaction is not found.
        case notFound
        /// This machine's clock has not reached the date of signing of genuine data: it is behind the store's. To be
        /// tried again when it has.
        case clock
    }

    /// The name of a credential that an operator configures for a store's API. An open set: each store has its own.
    public struct Credential: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// A credential of any name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The cause.
    public var cause: Cause
    /// The credential that the store refused; `nil` unless the cause is `misconfigured`.
    public var credential: Credential?
    /// Details for the operator's log; never contains a part of the receipt, or a secret.
    public var detail: String
    /// The date before which another attempt is of no use; `nil` if it is not known.
    public var retryDate: Date?

    public init(_ cause: Cause, _ detail: String = "", retryDate: Date? = nil, credential: Credential? = nil) {
        self.credential = credential
        self.cause = cause
        self.detail = detail
        self.retryDate = retryDate
    }

    public static func == (left: Self, right: Self) -> Bool { left.cause == right.cause }

    public func hash(into hasher: inout Hasher) { hasher.combine(cause) }
}
