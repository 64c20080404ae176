struct TestNotificationStatusResponse: Decodable, Sendable {
    struct Attempt: Decodable, Sendable {
        var attemptDate: AppStoreDate
        var sendAttemptResult: String
    }

    var signedPayload: String
    var sendAttempts: [Attempt]?
}
