import Basics
import Crypto
import Foundation
import InAppPurchase

/// The filter of a call for the notification history.
struct NotificationFilter: Encodable {
    /// Milliseconds since 1970, both included.
    var start: Int
    var end: Int
    var type: String?
    var subtype: String?
    var onlyFailures: Bool
    /// The customer's `appTransactionId`.
    var appTransactionID: String?

    func matches(_ entry: NotificationBook.Entry) -> Bool {
        let notification = entry.notification
        let date = notification.signedDate.milliseconds
        let hasFailed = !entry.delivery.attempts.contains { $0.result == .success }
        return notification.version == 2 && date >= start && date <= end
            && type.map { notification.type == $0 } ?? true
            && subtype.map { notification.subtype == $0 } ?? true
            && (!onlyFailures || (hasFailed && !entry.delivery.attempts.isEmpty))
            && appTransactionID.map { notification.appTransactionID == $0 } ?? true
    }

    /// A hash that is the same for the same filters.
    var digest: String {
        get throws { Data(SHA256.hash(data: try JSONEncoder.sorted.encode(self))).base64URL }
    }
}
