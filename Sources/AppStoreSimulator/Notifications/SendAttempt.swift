import Foundation

/// An attempt to send a notification (Apple, sendAttemptItem).
struct SendAttempt: Codable, Sendable {
    enum Result: String, Codable, Sendable {
        case success = "SUCCESS"
        case timedOut = "TIMED_OUT"
        case circularRedirect = "CIRCULAR_REDIRECT"
        case noResponse = "NO_RESPONSE"
        case socketIssue = "SOCKET_ISSUE"
        case invalidResponse = "INVALID_RESPONSE"
        case prematureClose = "PREMATURE_CLOSE"
        case unsuccessful = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        case other = "OTHER"
    }

    var date: Date
    var result: Result
}
