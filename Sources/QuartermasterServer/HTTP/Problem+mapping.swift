import Content
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOHTTP1

extension Problem {
    /// Maps an error to its problem: the one place where kinds of error become statuses.
    ///
    /// - Returns: the problem, and whether it is the server's own trouble, which the operator must see.
    static func from(_ error: any Error) -> (problem: Problem, isOurs: Bool) {
        switch error {
        case let problem as Problem: (problem, false)
        case let refusal as LedgerRefusal: (Problem(refusal), false)
        case let refusal as CatalogRefusal: (Problem(refusal), refusal.isOurs)
        case let refusal as PublishRefusal: (Problem(publishing: refusal), refusal.isOurs)
        case let refusal as UploadRefusal: (Problem(upload: refusal), refusal.isOurs)
        case is LedgerUnavailable: (.storageUnavailable, true)
        case let error as VerificationUnavailable where error.clockTrouble != nil: (.clockIsBehind, true)
        case is VerificationUnavailable: (.busy, false)
        case is HTTPParserError: (.badFraming, false)
        case let error as any HTTPResponseError: (Problem(error), false)
        default: (Problem(.internalServerError, "internal_error", "Internal error"), true)
        }
    }

    static let storageUnavailable = Problem(
        .serviceUnavailable, "storage_unavailable", "The ledger cannot be written to now", retryAfter: 10)

    static let busy = Problem(
        .serviceUnavailable, "busy", "Too many messages from unknown signers are waiting for verification",
        detail: "Nothing was recorded. Send it again.", retryAfter: 5)

    /// In seconds: people correct a clock.
    private static let clockRetryAfter = 300

    private static let clockIsBehind = Problem(
        .serviceUnavailable, "busy", "This server's clock is behind the store's",
        detail: "Nothing was recorded. Send it again.", retryAfter: clockRetryAfter)

    /// The maximum number of currencies that a message names; an app has a few.
    private static let maximumNames = 20

    /// The problem of a body whose end is unknown (RFC 9112 §6.3): whatever follows it is not read as a request.
    private static var badFraming: Problem {
        var problem = invalidRequest("The body is not framed as HTTP/1.1 requires.")
        problem.closesConnection = true
        return problem
    }

    private init(_ refusal: LedgerRefusal) {
        self =
            switch refusal {
            case .tooManyPending: .tooManyPending
            case .tooManyTransactionIDs: .tooManyTransactionIDs
            case .tooManyBytes(let kind): .tooManyBytes(kind, retryAfter: Problem.pendingRetryAfter)
            case .insufficientBalance:
                Problem(.conflict, "insufficient_balance", "The balance is too small", detail: "Nothing was spent.")
            case .idempotencyKeyReused:
                Problem(
                    .unprocessableContent, "idempotency_key_reused", "The idempotency key was used for another request")
            case .accountKeyReused:
                Problem(
                    .conflict, "idempotency_key_reused",
                    "The account that was created with this idempotency key has been used")
            case .nameTaken: Problem(.conflict, "name_taken", "The name is already in use")
            case .accountBlocked: Problem(.forbidden, "account_blocked", "The account is blocked")
            case .unknownAccount: Problem(.notFound, "not_found", "No such account")
            case .unknownCurrency(let named):
                Problem(
                    .unprocessableContent, "unknown_currency", "Unknown currency",
                    detail: "Nothing was recorded. Its products and its entry name: "
                        + "\(named.isEmpty ? "none" : named.prefix(Self.maximumNames).map(\.text).joined(separator: ", "))."
                )
            case .unknownOriginalTransaction: Problem(.notFound, "not_found", "No such original transaction")
            case .unknownReceipt: Problem(.notFound, "not_found", "No such receipt")
            case .unknownGrant: Problem(.notFound, "not_found", "The account has no such grant")
            case .unknownProduct, .nothingToGrant, .grantEnded, .tooManyGrants: Problem(grant: refusal)
            case .notTransferred:
                Problem(
                    .conflict, "not_transferred", "The purchase was never transferred", detail: "Nothing was changed.")
            }
    }

    private init(grant refusal: LedgerRefusal) {
        self =
            switch refusal {
            case .unknownProduct:
                Problem(
                    .unprocessableContent, "unknown_product", "Unknown product",
                    detail: "Nothing was recorded. The app has no product with this ID.")
            case .nothingToGrant:
                Problem(
                    .unprocessableContent, "invalid_request", "The product gives no access",
                    detail: "A consumable without bundles gives only credits. Give credits instead.")
            case .tooManyGrants:
                Problem(
                    .conflict, "too_many_grants", "The account was given too many products",
                    detail: "At most \(ProductGrant.maximumStanding) can be in force at once. Take others back first.")
            default:
                Problem(
                    .unprocessableContent, "invalid_request", "The end is in the past",
                    detail: "until: must be in the future. Nothing was recorded.")
            }
    }

    /// The problem for an error that the framework throws by itself.
    private init(_ error: any HTTPResponseError) {
        let code =
            switch error.status {
            case .notFound: "not_found"
            default: error.status.code < 500 ? "invalid_request" : "internal_error"
            }
        self.init(error.status, code, error.status.reasonPhrase)
    }
}
