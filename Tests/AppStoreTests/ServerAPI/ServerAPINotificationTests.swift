import Foundation
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

@Suite struct ServerAPINotificationTests {
    private static let filter = NotificationFilter(from: .t0 - 86_400, to: .t0)

    private func ask<Value: Sendable>(
        _ server: ServerAPIServer, _ work: @Sendable (AppStoreServerCall) async throws -> Value
    ) async throws -> Value {
        try await server.run { try await work($0.asking()) }
    }

    private static func page(_ payloads: [String], token: String?) -> ServerAPIServer.Answer {
        let items = payloads.map { payload -> JSONValue in
            [
                "signedPayload": .string(payload),
                "sendAttempts": [["attemptDate": 1_698_148_900_000, "sendAttemptResult": "NO_RESPONSE"]],
            ]
        }
        let body: JSONValue = ["hasMore": .bool(token != nil), "notificationHistory": .array(items)]
        return .json(body.with(["paginationToken": .string(token ?? "unused")]))
    }

    /// The same body with every page, and the texts as they were signed.
    @Test func `All pages of the notification history are read`() async throws {
        let server = ServerAPIServer { call in
            call.query == nil ? Self.page(["a.b.c", "d/+=.e.f"], token: "t/1") : Self.page(["g"], token: nil)
        }
        let history = try await ask(server) { try await $0.notifications(matching: Self.filter) }
        #expect(history.signedPayloads == ["a.b.c", "d/+=.e.f", "g"])
        #expect(history.continuation == nil && history.interruption == nil)
        #expect(server.calls.map(\.query) == [nil, "paginationToken=t%2F1"])
        #expect(server.calls.map(\.environment) == [.production, .production])
        let bodies = try server.calls.map { try JSONDecoder().decode(JSONValue.self, from: $0.body) }
        #expect(bodies.first == bodies.last)
    }

    @Test func `Notification history before an outage is kept, with where to continue`() async throws {
        let server = ServerAPIServer { $0.query == nil ? Self.page(["a"], token: "t") : .init(status: 503) }
        let history = try await ask(server) { try await $0.notifications(matching: Self.filter) }
        #expect(history.signedPayloads == ["a"] && history.continuation == "t")
        #expect(history.interruption == Unavailability(.temporary))
    }

    @Test func `Notification history is read up to a maximum of pages`() async throws {
        let server = ServerAPIServer(Self.page(["a"], token: "t"))
        let history = try await ask(server) { try await $0.notifications(matching: Self.filter) }
        #expect(history.signedPayloads.count == AppStoreServerCall.maximumNotificationPages)
        #expect(history.continuation == "t" && history.interruption?.detail == "too many pages")
    }

    @Test(arguments: [4_000_012, 4_000_017, 4_000_018])
    func `A refusal of the notification history is reported with its code`(_ code: Int) async throws {
        await #expect(throws: AppStoreServerError.refused(.init(rawValue: code))) {
            try await ask(ServerAPIServer(.error(code))) {
                try await $0.notifications(matching: Self.filter, from: "old")
            }
        }
    }

    @Test func `The status of a test notification is read with its attempts`() async throws {
        let server = ServerAPIServer { call in
            call.method == "POST"
                ? .json(["testNotificationToken": "ce3af791-365e-4c60-841b-1674b43c1609"])
                : .json([
                    "signedPayload": "a.b.c",
                    "sendAttempts": [["attemptDate": 1_698_148_900_000, "sendAttemptResult": "SUCCESS"]],
                ])
        }
        let notification = try await ask(server) { call in
            try await call.testNotification(try await call.requestTestNotification())
        }
        #expect(notification.signedPayload == "a.b.c")
        #expect(notification.attempts == [.init(date: Date(milliseconds: 1_698_148_900_000), result: "SUCCESS")])
    }

    /// Not being set up in one environment says nothing about the other.
    @Test func `A test notification is requested in one environment only`() async throws {
        let server = ServerAPIServer(.error(4_040_010))
        await #expect(throws: AppStoreServerError.self) {
            try await ask(server) { try await $0.requestTestNotification() }
        }
        #expect(server.calls.count == 1)
    }

    @Test(arguments: [true, false])
    func `The result of an extension of a renewal date is read`(_ success: Bool) async throws {
        let server = ServerAPIServer(
            .json([
                "originalTransactionId": "2312412", "webOrderLineItemId": "9993", "success": .bool(success),
                "effectiveDate": 1_698_148_900_000,
            ]))
        let result = try await ask(server) {
            try await $0.extendRenewalDate(of: "2312412", byDays: 1, for: .other, requestID: "r")
        }
        #expect(result.isExtended == success && result.originalTransactionID == "2312412")
        #expect(result.effectiveDate == Date(milliseconds: 1_698_148_900_000) && result.webOrderLineItemID == "9993")
    }
}
