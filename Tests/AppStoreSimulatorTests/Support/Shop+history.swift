import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// A notification as it is in the store's history.
struct HistoryEntry {
    /// Type and subtype: `DID_RENEW/BILLING_RECOVERY`.
    var kind: String
    var date: Date
    var status: JSONValue
    var transaction: JSONValue
    var renewal: JSONValue
}

extension Shop {
    static let day: TimeInterval = 86_400

    /// Has the store send nothing: its notifications are in its history.
    func sendNoNotifications() async throws {
        let nobody: JSONValue = ["url": "http://localhost:1/notifications"]
        try #require(try await send(.put, "/simulator/v1/notification-url", nobody).status == .noContent)
    }

    func advance(days: Double) async throws {
        let body: JSONValue = ["advanceSeconds": .number(days * Self.day)]
        try #require(try await send(.post, "/simulator/v1/clock", body).status == .ok)
    }

    /// All notifications of the store, in the order of their signing.
    func reported(in environment: String = "production") async throws -> [HistoryEntry] {
        let now = try #require(Date(rfc3339: try await send(.get, "/simulator/v1/clock").json["now"].text)).milliseconds
        let reach = environment == "production" ? 179 : 29
        let range: [String: JSONValue] = [
            "startDate": .integer(now - reach * 86_400_000), "endDate": .integer(now + 1),
        ]
        return try await Caller(self, environment: environment).history(range).map { item in
            let payload = try SignedMessage.payload(item["signedPayload"])
            let kind = [payload["notificationType"].text, payload["subtype"].text].filter { !$0.isEmpty }
            guard case .integer(let date) = payload["signedDate"] else { throw NoDate() }
            let (data, none) = (payload["data"], JSONValue.object([:]))
            let (transaction, renewal) = (data["signedTransactionInfo"], data["signedRenewalInfo"])
            return HistoryEntry(
                kind: kind.joined(separator: "/"), date: Date(milliseconds: date), status: data["status"],
                transaction: transaction == .null ? none : try SignedMessage.payload(transaction),
                renewal: renewal == .null ? none : try SignedMessage.payload(renewal))
        }
    }

    private struct NoDate: Error {}
}
