package import InAppPurchase

/// What came of facts that nobody presented.
package struct Observation: Hashable, Sendable {
    /// Transactions that were not known, or not like this.
    package var news: Int
    /// Transactions of original transactions without an owner; they wait for one.
    package var unclaimed: Int
    /// Those whom the facts concern.
    package var owners: Set<AccountID>

    package init(news: Int = 0, unclaimed: Int = 0, owners: Set<AccountID> = []) {
        self.news = news
        self.unclaimed = unclaimed
        self.owners = owners
    }
}
