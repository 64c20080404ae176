import Basics
import Crypto
import Foundation
import InAppPurchase

/// The filter of a call for the notification history.
struct SimulatorNotificationFilter: Encodable {
    /// The first and the last date, in milliseconds since 1970.
    var start: Int
    var end: Int
    var type: String?
    var subtype: String?
    var onlyFailures: Bool
    /// The customer's `appTransactionId`.
    var appTransactionID: String?

    func matches(_ delivery: NotificationDelivery) -> Bool {
        guard let summary = delivery.summary else { return false }
        let date = summary.signedDate.milliseconds
        let hasFailed = !delivery.attempts.contains { $0.result == .success }
        return delivery.version == 2 && date >= start && date <= end
            && type.map { summary.type == $0 } ?? true
            && subtype.map { summary.subtype == $0 } ?? true
            && (!onlyFailures || (hasFailed && !delivery.attempts.isEmpty))
            && appTransactionID.map { summary.appTransactionID == $0 } ?? true
    }

    /// A hash that is the same for the same filters.
    var digest: String {
        get throws { Data(SHA256.hash(data: try JSONEncoder.sorted.encode(self))).base64URL }
    }
}
