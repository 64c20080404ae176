import Foundation
import HTTPTypes
import InAppPurchase

/// The product that an account is given without a purchase, until when, and the reason.
struct GrantRequestBody: RequestBody {
    var product: ProductID
    var reason: String
    /// Needed if several apps are served.
    var app: BundleID?
    var environment: String?
    /// An RFC 3339 time; without it the access does not end.
    var until: String?

    /// - Throws: 422 if ``until`` is not a time.
    var end: Date? {
        get throws {
            guard let until else { return nil }
            guard let end = Date(rfc3339: until) else { throw Problem.wrongGrantEnd }
            return end
        }
    }
}

extension Problem {
    static let wrongGrantEnd = Problem(
        .unprocessableContent, "invalid_request", "The end is not a time",
        detail: "until: an RFC 3339 time, such as 2026-12-01T00:00:00Z")
}
