import Foundation
import HTTPTypes
import InAppPurchase
import ServerHTTP
package import Testing

/// The expected members of an error answer.
package struct ExpectedProblem: CustomTestStringConvertible, Sendable {
    package var status: Int
    package var code: String
    package var reason: String?

    package init(_ status: Int, _ code: String, reason: String? = nil) {
        self.status = status
        self.code = code
        self.reason = reason
    }

    package var testDescription: String { "\(status) \(code) \(reason ?? "")" }

    package static let invalid = ExpectedProblem(400, "invalid_request")
    package static let tooLarge = ExpectedProblem(413, "receipt_too_large")
    package static let tooManyRequests = ExpectedProblem(429, "too_many_requests")
    package static let requestTooLarge = ExpectedProblem(413, "request_too_large")

    package static func rejected(_ reason: String) -> ExpectedProblem {
        ExpectedProblem(422, "receipt_rejected", reason: reason)
    }
}

extension Answer {
    /// Expects a problem document (RFC 9457) and nothing else. No error ever finishes a transaction.
    package func expect(
        _ problem: ExpectedProblem, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let wanted: [String: JSONValue] = [
            "status": .integer(problem.status), "code": .string(problem.code),
            "type": .string("urn:quartermaster:problem:\(problem.code)"),
            "reason": problem.reason.map { .string($0) } ?? .null, "finish": false,
        ]
        let found = wanted.map { ($0.key, json[$0.key]) }
        #expect(Dictionary(found) { $1 } == wanted, comment, sourceLocation: sourceLocation)
        #expect(status == problem.status, comment, sourceLocation: sourceLocation)
        #expect(json["title"].text?.isEmpty == false, comment, sourceLocation: sourceLocation)
        #expect(headers[.contentType] == "application/problem+json", comment, sourceLocation: sourceLocation)
        #expect(requestID?.isEmpty == false, comment, sourceLocation: sourceLocation)
    }

    package var requestID: String? { HTTPField.Name("X-Request-Id").flatMap { headers[$0] } }
}

extension World {
    /// Variables of a server that takes three receipts of an account at once.
    package static let threeReceipts = [
        "QUARTERMASTER_LIMITS_RECEIPT_BURST": "3", "QUARTERMASTER_LIMITS_RECEIPTS_PER_MINUTE": "6",
    ]

    /// Runs something that must do no harm: afterwards the server is up and a player still has what they bought before.
    package func unharmed(_ body: (Player) async throws -> Void) async throws {
        let player = try await newPlayer()
        for (product, type) in [("tenhints", "consumable"), ("hardwords", "non-consumable")] {
            #expect(try await post(buy(product, type).signedTransaction, as: player).status == 200)
        }
        let before = try await entitlements(of: player)
        #expect(before["balances"] == ["hints": 10] && before["entitlements"].array.count == 2)
        try await body(player)
        #expect(try await call(.get, "/health").json == ["status": "alive"])
        #expect(try await entitlements(of: player) == before)
    }
}
