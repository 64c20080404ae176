/// The body of a version 2 notification (Apple, responseBodyV2).
struct NotificationBody: Codable {
    var signedPayload: String
}
