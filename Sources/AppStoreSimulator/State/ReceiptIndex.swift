import InAppPurchase

/// The transactions of a customer that an app receipt may name: the newest ones, so that signing a receipt takes as
/// long after 10,000 purchases as after 100.
struct ReceiptIndex: Codable, Sendable {
    /// The maximum number of consumables. An app finishes them one after the other, and finished ones leave the
    /// receipt.
    static let maximumConsumables = 20
    /// The maximum number of all other transactions; almost two years of a weekly subscription.
    static let maximumOthers = 100

    private var consumables: [TransactionID] = []
    private var others: [TransactionID] = []

    /// The IDs, in no order.
    var ids: [TransactionID] { consumables + others }

    /// Adds a transaction, which takes the place of the oldest if there are too many. The second time nothing changes.
    mutating func add(_ purchase: StoredPurchase) {
        let id = purchase.transaction.id
        guard !ids.contains(id) else { return }
        if purchase.transaction.productType == .consumable {
            consumables = Array((consumables + [id]).suffix(Self.maximumConsumables))
        } else {
            others = Array((others + [id]).suffix(Self.maximumOthers))
        }
    }
}
