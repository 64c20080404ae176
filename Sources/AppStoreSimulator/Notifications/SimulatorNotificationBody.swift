/// The body of a version 2 notification (Apple, responseBodyV2).
struct SimulatorNotificationBody: Codable {
    var signedPayload: String
}
