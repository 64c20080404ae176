package import InAppPurchase

/// A notification whose facts wait for the App Store's proof, in the retry queue.
package struct PendingNotification: Sendable {
    /// The notification, with empty facts.
    package var notification: AppStoreNotification
    package var attempts: Attempts

    package init(notification: AppStoreNotification, attempts: Attempts) {
        self.notification = notification
        self.attempts = attempts
    }
}
