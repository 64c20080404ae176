package import InAppPurchase

/// The result of recording facts that nobody presented.
package struct Observation: Hashable, Sendable {
    /// The number of transactions that were new or changed.
    package var changed: Int
    /// The number of transactions whose original transaction has no owner yet.
    package var unclaimed: Int
    /// The owners of the transactions.
    package var owners: Set<AccountID>

    package init(changed: Int = 0, unclaimed: Int = 0, owners: Set<AccountID> = []) {
        self.changed = changed
        self.unclaimed = unclaimed
        self.owners = owners
    }
}
