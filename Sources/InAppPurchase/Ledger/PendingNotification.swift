/// A notification that waits for the store's proof.
public struct PendingNotification: Sendable {
    /// Its facts are empty.
    public var notification: AppStoreNotification
    public var attempts: Attempts

    public init(notification: AppStoreNotification, attempts: Attempts) {
        self.notification = notification
        self.attempts = attempts
    }
}
