/// What an act came to.
struct ActOutcome: Sendable {
    /// The transaction that it is about.
    var purchase: StoredPurchase
    /// The newest of its line.
    var newest: StoredPurchase
    /// What the store tells the app's server.
    var kind: NotificationKind?
}
