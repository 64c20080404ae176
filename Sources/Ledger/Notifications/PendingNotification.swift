package import InAppPurchase

/// A notification that waits for the store's proof.
package struct PendingNotification: Sendable {
    /// Its facts are empty.
    package var notification: AppStoreNotification
    package var attempts: Attempts

    package init(notification: AppStoreNotification, attempts: Attempts) {
        self.notification = notification
        self.attempts = attempts
    }
}
