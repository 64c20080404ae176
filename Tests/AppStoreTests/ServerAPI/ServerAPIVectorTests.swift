import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// The bodies that Apple's own libraries are tested with.
@Suite(.enabled(if: Vectors.folder != nil, "QUARTERMASTER_VECTORS names no folder")) struct ServerAPIVectorTests {
    private func decode<Body: Decodable>(_ type: Body.Type, _ name: String) throws -> Body {
        try JSONDecoder().decode(type, from: try Vectors.data("apple-library/models/\(name).json"))
    }

    @Test func `Transaction responses of Apple's libraries are decoded`() throws {
        let info = try decode(TransactionInfoResponse.self, "transactionInfoResponse")
        #expect(info.signedTransactionInfo == "signed_transaction_info_value")
        let history = try decode(HistoryResponse.self, "transactionHistoryResponse")
        #expect(history.signedTransactions.count == 2 && history.hasMore && history.revision == "revision_output")
        #expect(history.appAppleId == 323_232)
        let refunds = try decode(HistoryResponse.self, "getRefundHistoryResponse")
        #expect(refunds.signedTransactions.count == 2 && refunds.hasMore && refunds.appAppleId == nil)
        let order = try decode(OrderLookupResponse.self, "lookupOrderIdResponse")
        #expect(order.status == 1 && order.signedTransactions?.count == 2)
        let statuses = try decode(StatusResponse.self, "getAllSubscriptionStatusesResponse")
        #expect(statuses.data.flatMap(\.lastTransactions).compactMap(\.signedRenewalInfo).count == 3)
    }

    @Test func `Malformed responses of Apple's libraries are decoded as far as needed`() throws {
        let name = "transactionHistoryResponseWithMalformed"
        #expect(throws: Never.self) { try decode(HistoryResponse.self, name + "Environment") }
        #expect(throws: DecodingError.self) { try decode(HistoryResponse.self, name + "AppAppleId") }
    }

    @Test func `Notification responses of Apple's libraries are decoded`() throws {
        let history = try decode(NotificationHistoryResponse.self, "getNotificationHistoryResponse")
        #expect(history.notificationHistory.map(\.signedPayload) == ["signed_payload_one", "signed_payload_two"])
        #expect(history.paginationToken == "57715481-805a-4283-8499-1c19b5d6b20a" && history.hasMore)
        let token = try decode(TestNotificationResponse.self, "requestTestNotificationResponse")
        #expect(token.testNotificationToken == "ce3af791-365e-4c60-841b-1674b43c1609")
        let status = try decode(TestNotificationStatusResponse.self, "getTestNotificationStatusResponse")
        #expect(status.sendAttempts?.map(\.sendAttemptResult) == ["NO_RESPONSE", "SUCCESS"])
        let renewal = try decode(RenewalExtensionResponse.self, "extendSubscriptionRenewalDateResponse")
        #expect(renewal.success && renewal.originalTransactionId.id == "2312412")
        let all = try decode(
            SubscriberExtensionResponse.self, "getStatusOfSubscriptionRenewalDateExtensionsResponse")
        #expect(all.complete && all.completeDate?.date == Date(milliseconds: 1_698_148_900_000))
        #expect(all.succeededCount == 30 && all.failedCount == 2)
    }

    @Test(arguments: [
        ("apiException", 500, "temporary"), ("apiTooManyRequestsException", 429, "temporary"),
        ("apiUnknownError", 400, "refused"), ("transactionIdNotFoundError", 404, "notFound"),
        ("appTransactionDoesNotExistError", 404, "notFound"), ("invalidTransactionIdError", 400, "refused"),
        ("familyTransactionNotSupportedError", 400, "refused"), ("invalidAppAccountTokenUUIDError", 400, "refused"),
        ("transactionIdNotOriginalTransactionId", 400, "refused"),
    ])
    func `Error responses of Apple's libraries have their meaning`(_ name: String, _ status: Int, _ outcome: String)
        async throws
    {
        let body = try Vectors.text("apple-library/models/\(name).json")
        let server = ServerAPIServer(.init(status: status, body: body))
        let failure = try await server.run { client in
            let call = try client.asking(in: .sandbox)
            return await AppStoreTests.failure { try await call.finish("1") }
        }
        #expect(failure?.outcome == outcome)
    }
}
