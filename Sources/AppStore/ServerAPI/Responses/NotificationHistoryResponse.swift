struct NotificationHistoryResponse: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        var signedPayload: String
    }

    var notificationHistory: [Item]
    var hasMore: Bool
    var paginationToken: String?
}
