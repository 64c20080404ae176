import HTTPTypes
import InAppPurchase

/// An error answer (RFC 9457), with the stable `code` of the wire contract.
struct Problem: Error {
    var status: HTTPResponse.Status
    var code: String
    var title: String
    var detail: String?
    /// The ID of the receipt it is about.
    var receipt: String?
    /// Why a receipt was refused, or access denied.
    var reason: String?
    /// What the app can do about a purchase that another account owns.
    var remedy: TransferRemedy?
    /// Whether the app should finish what it sent.
    var finish: Bool?
    /// Seconds after which it is worth trying again.
    var retryAfter: Int?
    var headers: HTTPFields = [:]
    /// Whether the connection is closed after it: what is left of the body is not waited for, or its end is not known.
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

    /// Beyond the ``BodyBudget``, or more large bodies than can be decoded soon.
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
        "\(PendingReceipt.maximumPending) receipts of this account wait for the store already.", retryAfter: 60)

    /// The same to an app that sent receipts: it keeps them and sends them again.
    var keepingReceipts: Problem {
        var problem = self
        problem.finish = false
        return problem
    }

    /// In seconds. The budget of receipts that wait has room again as soon as some have their answer, which most have by
    /// then.
    static let pendingRetryAfter = 600

    /// A budget of kept bytes is used up.
    static func tooManyBytes(_ kind: ReceiptBytesKind, retryAfter: Int) -> Problem {
        let which = kind == .pending ? "that wait" : "that were refused today"
        return tooManyReceipts(
            "The receipts of this account, or of this address, \(which) are too large together.",
            retryAfter: retryAfter)
    }

    /// What was bought is still to be recorded: the app keeps it and sends it again.
    private static func tooManyReceipts(_ detail: String, retryAfter: Int) -> Problem {
        var problem = tooManyRequests(detail, retryAfter: retryAfter)
        problem.finish = false
        return problem
    }

    /// The same about a receipt.
    func naming(_ receipt: String) -> Problem {
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
