import Foundation

// The answers of the App Store Server API, under Apple's names; members that are not used are ignored.

struct TransactionInfoResponse: Decodable, Sendable {
    var signedTransactionInfo: String
}

struct HistoryResponse: Decodable, Sendable {
    var signedTransactions: [String]
    var revision: String?
    var hasMore: Bool
    /// Absent in the sandbox.
    var appAppleId: Int?
}

struct StatusResponse: Decodable, Sendable {
    struct Group: Decodable, Sendable {
        var lastTransactions: [Item]
    }

    struct Item: Decodable, Sendable {
        var signedTransactionInfo: String
        var signedRenewalInfo: String?
    }

    var appAppleId: Int?
    var data: [Group]
}

struct OrderLookupResponse: Decodable, Sendable {
    /// 0 valid, 1 invalid
    var status: Int
    var signedTransactions: [String]?
}

struct NotificationHistoryResponse: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        var signedPayload: String
    }

    var notificationHistory: [Item]
    var hasMore: Bool
    var paginationToken: String?
}

struct TestNotificationResponse: Decodable, Sendable {
    var testNotificationToken: String
}

struct TestNotificationStatusResponse: Decodable, Sendable {
    struct Attempt: Decodable, Sendable {
        var attemptDate: AppStoreDate
        var sendAttemptResult: String
    }

    var signedPayload: String
    var sendAttempts: [Attempt]?
}

struct RenewalExtensionResponse: Decodable, Sendable {
    var originalTransactionId: AppStoreID
    var webOrderLineItemId: String?
    var success: Bool
    var effectiveDate: AppStoreDate?
}
