package import Foundation
package import InAppPurchase

/// App Store Server Notifications. Each is recorded and applied exactly once, in any order.
package protocol AppStoreNotifications: Sendable {
    /// Records a notification and applies its facts, in one commit.
    ///
    /// - Returns: what was observed; `nil` if a notification with its ID was recorded before, and nothing happened.
    func record(_ notification: AppStoreNotification, in context: RecordingContext) async throws -> Observation?

    /// Records a notification whose facts are not verified, as pending: the App Store is to be asked for them from
    /// `retry` on.
    ///
    /// - Returns: whether it is new; a known one stays as it is.
    func enqueue(_ notification: AppStoreNotification, retryAt retry: Date, at date: Date) async throws -> Bool

    /// Leases pending notifications that are due: of each app an equal share, in the order in which they became due.
    /// Each is postponed to `lease`, so that no other worker takes it.
    func dueNotifications(limit: Int, lease: Date, at date: Date) async throws -> [PendingNotification]

    /// Applies the App Store's answer about a pending notification. Idempotent.
    ///
    /// - Parameter facts: `nil` if the App Store will never answer; the notification stays recorded.
    func complete(
        notification id: String, _ facts: VerifiedReceipt?, in context: RecordingContext
    ) async throws -> Observation?

    /// Postpones a pending notification. Does nothing if it was completed meanwhile.
    func postpone(notification id: String, attempts: Attempts, until retry: Date) async throws

    /// Records facts that the App Store was asked for, and delivers.
    ///
    /// - Parameter cause: the reason for asking; stored with the postings.
    func observe(_ facts: VerifiedReceipt, cause: String, in context: RecordingContext) async throws -> Observation
}
