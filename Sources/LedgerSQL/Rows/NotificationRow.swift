import Foundation
import InAppPurchase
import Ledger

/// A row of a notification.
struct NotificationRow {
    var pending: PendingNotification
    var isDue: Bool

    init(_ row: SQLRow) throws {
        let environment: String? = try row["environment"]
        pending = try PendingNotification(
            notification: AppStoreNotification(
                id: row["id"], type: row["type"], subtype: row["subtype"], app: row["app"],
                environment: environment.flatMap(Environment.init(known:)), signedDate: row.date("signedAt"),
                content: row["content"]),
            attempts: Attempts(
                count: row["attempts"], ambiguous: row["doubtfulAttempts"], badRequests: row["badRequestAttempts"]))
        isDue = try row.dateIfAny("retryAt") != nil
    }
}
