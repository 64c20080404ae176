import InAppPurchase

/// Thrown for a notification that is not from the store.
struct NotificationRejection: Error {
    var rejection: ReceiptRejection
    /// The version of the store's format.
    var version: Int
}
