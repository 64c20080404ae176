import Foundation

/// A problem document (RFC 9457): why the server did not do what was asked. Decide by ``code`` and ``reason``.
public struct ServerProblem: Error, Sendable, Equatable, Decodable {
    /// The HTTP status.
    public var status: Int
    /// The kind of problem, by the table in docs/app/errors.md.
    public var code: Code
    /// More about some codes: why a receipt was rejected, or access is denied.
    public var reason: DenialReason?
    /// A way for the player to get a purchase that another account owns.
    public var remedy: Remedy?
    /// An explanation for people.
    public var detail: String?
    /// The ID by which the server knows the receipt.
    public var receipt: String?
    /// `X-Request-Id` of the answer: show it to the player, or put it into a bug report.
    public var requestID: String?
    /// `Retry-After` of the answer.
    public var retryAfter: Duration?

    /// A name that does not change. Unknown ones are kept.
    public struct Code: RawRepresentable, Hashable, Sendable, Decodable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    private enum CodingKeys: String, CodingKey {
        case status
        case code
        case reason
        case remedy
        case detail
        case receipt
    }

    /// Reads a document as far as it can be read: a member of another type than expected counts as absent.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = container.lenient(Int.self, .status) ?? 0
        code = container.lenient(Code.self, .code) ?? .unknown
        reason = container.lenient(DenialReason.self, .reason)
        remedy = container.lenient(Remedy.self, .remedy)
        detail = container.lenient(String.self, .detail)
        receipt = container.lenient(String.self, .receipt)
    }

    /// A problem of which nothing else is known.
    public init(status: Int, code: Code = .unknown) {
        self.status = status
        self.code = code
    }

    /// The problem that an answer states. If its body is not a problem document, only the status is known.
    init(_ response: HTTPResponse) {
        self = (try? JSONDecoder().decode(Self.self, from: response.body)) ?? Self(status: response.status)
        status = response.status
        requestID = response["X-Request-Id"]
        retryAfter = response.retryAfter
    }
}

extension ServerProblem.Code {
    /// The answer had no problem document, or one without a code.
    public static let unknown = Self(rawValue: "")
    /// The session has ended.
    public static let unauthenticated = Self(rawValue: "unauthenticated")
    /// No account has the recovery code.
    public static let invalidCredentials = Self(rawValue: "invalid_credentials")
    /// An administrator blocked the account.
    public static let accountBlocked = Self(rawValue: "account_blocked")
    /// Nothing that was bought gives access to the bundle.
    public static let notEntitled = Self(rawValue: "not_entitled")
    /// A link has expired, or was altered.
    public static let invalidGrant = Self(rawValue: "invalid_grant")
    /// The server does not serve the app.
    public static let unknownApp = Self(rawValue: "unknown_app")
    /// There is no such bundle, or no such version.
    public static let unknownBundle = Self(rawValue: "unknown_bundle")
    /// No version of the bundle is for this version of the app.
    public static let noFittingVersion = Self(rawValue: "no_fitting_version")
    /// Everything in the receipt belongs to another account.
    public static let ownedByAnotherAccount = Self(rawValue: "owned_by_another_account")
    /// The balance is too small: nothing was spent.
    public static let insufficientBalance = Self(rawValue: "insufficient_balance")
    /// The receipt is too large.
    public static let receiptTooLarge = Self(rawValue: "receipt_too_large")
    /// The receipt is no proof of purchase here; ``ServerProblem/reason`` says why.
    public static let receiptRejected = Self(rawValue: "receipt_rejected")
    /// The files that were confirmed are not those of the manifest.
    public static let deliveryMismatch = Self(rawValue: "delivery_mismatch")
    /// The key was used for something else.
    public static let idempotencyKeyReused = Self(rawValue: "idempotency_key_reused")
    /// A rate limit; ``ServerProblem/retryAfter`` says how long to wait.
    public static let tooManyRequests = Self(rawValue: "too_many_requests")
    /// The server has too much to do at the moment.
    public static let busy = Self(rawValue: "busy")
    /// The server can record nothing at the moment.
    public static let storageUnavailable = Self(rawValue: "storage_unavailable")
}

extension HTTPResponse {
    /// `Retry-After` in seconds, at most a day.
    var retryAfter: Duration? {
        guard let seconds = self["Retry-After"].flatMap(Int.init), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 86_400))
    }
}
