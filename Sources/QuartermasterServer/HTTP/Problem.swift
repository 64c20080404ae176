import HTTPTypes
import InAppPurchase
import Ledger

/// An error response (RFC 9457), with the stable `code` of the HTTP API.
struct Problem: Error {
    var status: HTTPResponse.Status
    var code: String
    var title: String
    var detail: String?
    /// The ID of the receipt that the problem is about.
    var receipt: String?
    /// The reason why a receipt was rejected, or access denied.
    var reason: String?
    /// The way in which the app can resolve that another account owns the purchase.
    var remedy: TransferRemedy?
    /// Whether the app should finish the transaction that it sent.
    var finish: Bool?
    /// The seconds after which a retry makes sense (`Retry-After`).
    var retryAfter: Int?
    var headers: HTTPFields = [:]
    /// Whether the connection is closed after the response, since the rest of the body is not waited for or its end is
    /// unknown.
    var closesConnection = false

    init(
        _ status: HTTPResponse.Status, _ code: String, _ title: String, detail: String? = nil, reason: String? = nil,
        remedy: TransferRemedy? = nil, finish: Bool? = nil, receipt: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.remedy = remedy
        self.reason = reason
        self.finish = finish
        self.receipt = receipt
        self.retryAfter = retryAfter
    }

    static let unauthenticated = Problem(
        .unauthorized, "unauthenticated", "No valid access token", detail: "Send Authorization: Bearer <accessToken>.")
    static let notFound = Problem(.notFound, "not_found", "Not found")

    /// The problem of bodies beyond the ``BodyBudget``, or of more large bodies than can be decoded soon.
    static let tooManyBodies = {
        var problem = Problem(
            .serviceUnavailable, "busy", "Too many large requests at once",
            detail: "Nothing was recorded. Send it again.", retryAfter: 5)
        problem.closesConnection = true
        return problem
    }()

    static let requestTooLarge = Problem(.contentTooLarge, "request_too_large", "The request body is too large")
    static let receiptTooLarge = Problem(.contentTooLarge, "receipt_too_large", "The receipt is too large")
    static let tooManyPending = tooManyReceipts(
        "\(PendingReceipt.maximumPending) receipts of this account already wait for the store.", retryAfter: 60)

    /// The same problem for an app that sent receipts: it keeps them and sends them again.
    var keepingReceipts: Problem {
        var problem = self
        problem.finish = false
        return problem
    }

    /// In seconds. The budget of pending receipts has room again as soon as some are answered, which most are by then.
    static let pendingRetryAfter = 600

    /// The problem of a used-up budget of stored receipt bytes.
    static func tooManyBytes(_ kind: ReceiptBytesKind, retryAfter: Int) -> Problem {
        let which = kind == .pending ? "that wait" : "that were refused today"
        return tooManyReceipts(
            "The receipts of this account, or of this address, \(which) are too large together.",
            retryAfter: retryAfter)
    }

    /// The problem with `finish` set to `false`, since the purchase is still to be recorded: the app keeps it and sends
    /// it again.
    private static func tooManyReceipts(_ detail: String, retryAfter: Int) -> Problem {
        var problem = tooManyRequests(detail, retryAfter: retryAfter)
        problem.finish = false
        return problem
    }

    /// The same problem with the ID of a receipt.
    func naming(_ receipt: String?) -> Problem {
        var problem = self
        problem.receipt = receipt
        return problem
    }

    static func invalidRequest(_ detail: String) -> Problem {
        Problem(.badRequest, "invalid_request", "The request cannot be read", detail: detail)
    }

    static func tooManyRequests(_ detail: String, retryAfter: Int) -> Problem {
        Problem(.tooManyRequests, "too_many_requests", "Too many requests", detail: detail, retryAfter: retryAfter)
    }
}
