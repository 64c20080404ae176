struct TestNotificationResponse: Decodable, Sendable {
    var testNotificationToken: String
}
