import InAppPurchase

/// A store's notification that was read, and not recorded yet.
struct ReadNotification: Sendable {
    var notification: AppStoreNotification
    /// The version of the store's format, by which notifications are counted.
    var version: Int
    /// Whether its own signature proves it; otherwise the store is asked about the purchases in it.
    var isVerified: Bool
}
