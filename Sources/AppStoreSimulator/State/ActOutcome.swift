/// The outcome of an act.
struct ActOutcome: Sendable {
    /// The transaction that the act is about.
    var purchase: StoredPurchase
    /// The newest transaction of its original transaction.
    var newest: StoredPurchase
    /// The notification to send to the app's server; `nil` for none.
    var kind: NotificationKind?
}
