import AppStore
import Foundation
import InAppPurchase
import StoreClient

extension AppStoreQueries {
    /// Asks `verifyReceipt` about the receipt in a version 1 notification. An answer about another app proves nothing
    /// of the notification.
    func verdict(
        on notification: AppStoreNotification, within time: Duration, at now: Date
    ) async -> VerificationResult<VerifiedReceipt> {
        guard let kind = Receipt.Kind(of: notification.content) else { return .rejected(ReceiptRejection(.malformed)) }
        do throws(ReceiptRejection) {
            // As for any other receipt: the secret of the app that the receipt itself names.
            let app = try UnverifiedReceipt(base64: notification.content, kind: kind).bundleID ?? notification.app
            let verdict = await verifyReceipt.verify(
                notification.content, secret: app.flatMap(secret), within: time, at: now)
            if case .verified(let answer) = verdict, answer.bundleID != notification.app {
                throw ReceiptRejection(.bundleID, "not the app of the notification")
            }
            return verdict.map(\.receipt)
        } catch {
            return .rejected(error)
        }
    }
}
