import HTTPTypes
import InAppPurchase
import Ledger
package import ServerHTTP

extension LedgerUnavailable: ProblemConvertible {
    package var problem: Problem { .storageUnavailable }
    package var isOurs: Bool { true }
}

extension LedgerRefusal: ProblemConvertible {
    package var problem: Problem { Problem(self) }
}

extension Problem {
    static let receiptTooLarge = Problem(.contentTooLarge, "receipt_too_large", "The receipt is too large")
    static let tooManyPending = tooManyRequests(
        "\(PendingReceipt.maximumPending) receipts of this account already wait for the store.", retryAfter: 60)

    static let tooManyTransactionIDs = tooManyRequests(
        "Too many transaction IDs already wait for the store, which does not know this one now.", retryAfter: 60)

    /// In seconds. The budget of pending receipts has room again as soon as some are answered, which most are by then.
    static let pendingRetryAfter = 600

    /// The problem of a used-up budget of stored receipt bytes.
    static func tooManyBytes(_ kind: ReceiptBytesKind, retryAfter: Int) -> Problem {
        let which = kind == .pending ? "that wait" : "that were refused today"
        return tooManyRequests(
            "The receipts of this account, or of this address, \(which) are too large together.",
            retryAfter: retryAfter)
    }

    /// The maximum number of currencies that a message names; an app has a few.
    private static let maximumNames = 20

    fileprivate init(_ refusal: LedgerRefusal) {
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
            case .externalIDInUse:
                Problem(
                    .conflict, "external_id_in_use", "Another account has this external ID",
                    detail: "Nothing was changed. Find that account by the ID, and remove it there first.")
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
            case .tooManyNotes:
                Problem(
                    .conflict, "too_many_notes", "The account has too many notes",
                    detail: "It can have \(AccountNote.maximumOfAccount). Remove others first.")
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
}
