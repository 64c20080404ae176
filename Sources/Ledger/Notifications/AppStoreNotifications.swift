package import InAppPurchase
package import Foundation

/// What the store told by itself: recorded once, applied once, in any order.
package protocol AppStoreNotifications: Sendable {
    /// Records a notification and applies its facts, in one commit.
    ///
    /// - Returns: what came of it; nil where a notification with its ID was recorded before: nothing happens then.
    func record(_ notification: AppStoreNotification, in context: RecordingContext) async throws -> Observation?

    /// Records a notification whose facts are not proven: the store is to be asked for them, at `retry` and after.
    ///
    /// - Returns: whether it is new; a known one stays as it is.
    func enqueue(_ notification: AppStoreNotification, retryAt retry: Date, at date: Date) async throws -> Bool

    /// The kept notifications that are due, in the order they came. Each is put off to `lease`, so that no other worker
    /// takes it.
    func dueNotifications(limit: Int, lease: Date, at date: Date) async throws -> [PendingNotification]

    /// Applies what the store answered about a kept notification. The second time nothing happens.
    ///
    /// - Parameter facts: nil where the store will never answer; the notification stays recorded.
    func complete(
        notification id: String, _ facts: VerifiedReceipt?, in context: RecordingContext
    ) async throws -> Observation?

    /// Puts a kept notification off. Nothing happens where it was settled meanwhile.
    func postpone(notification id: String, attempts: Attempts, until retry: Date) async throws

    /// Records facts that the store was asked for, and delivers.
    ///
    /// - Parameter cause: why it was asked; stands with what is posted.
    func observe(_ facts: VerifiedReceipt, cause: String, in context: RecordingContext) async throws -> Observation
}
