package import HTTPTypes

/// An error response (RFC 9457), with the stable `code` of the HTTP API.
package struct Problem: Error {
    package var status: HTTPResponse.Status
    package var code: String
    package var title: String
    package var detail: String?
    /// The ID of the receipt that the problem is about.
    package var receipt: String?
    /// The reason why a receipt was rejected, or access denied.
    package var reason: String?
    /// The way in which the app can resolve that another account owns the purchase.
    package var remedy: String?
    /// The seconds after which a retry makes sense (`Retry-After`).
    package var retryAfter: Int?
    package var headers: HTTPFields = [:]
    /// Whether the connection is closed after the response, since the rest of the body is not waited for or its end is
    /// unknown.
    package var closesConnection = false

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ title: String, detail: String? = nil, reason: String? = nil,
        remedy: String? = nil, receipt: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.remedy = remedy
        self.reason = reason
        self.receipt = receipt
        self.retryAfter = retryAfter
    }

    package static let unauthenticated = Problem(
        .unauthorized, "unauthenticated", "No valid access token", detail: "Send Authorization: Bearer <accessToken>.")
    package static let notFound = Problem(.notFound, "not_found", "Not found")

    /// The problem of bodies beyond the ``BodyBudget``, or of more large bodies than can be decoded soon.
    static let tooManyBodies = {
        var problem = Problem(
            .serviceUnavailable, "busy", "Too many large requests at once",
            detail: "Nothing was recorded. Send it again.", retryAfter: 5)
        problem.closesConnection = true
        return problem
    }()

    package static let requestTooLarge = Problem(.contentTooLarge, "request_too_large", "The request body is too large")

    /// The same problem with the ID of a receipt.
    package func naming(_ receipt: String?) -> Problem {
        var problem = self
        problem.receipt = receipt
        return problem
    }

    package static func invalidRequest(_ detail: String) -> Problem {
        Problem(.badRequest, "invalid_request", "The request cannot be read", detail: detail)
    }

    package static func tooManyRequests(_ detail: String, retryAfter: Int) -> Problem {
        Problem(.tooManyRequests, "too_many_requests", "Too many requests", detail: detail, retryAfter: retryAfter)
    }
}
