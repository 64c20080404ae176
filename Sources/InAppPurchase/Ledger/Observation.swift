/// What came of facts that nobody presented.
public struct Observation: Hashable, Sendable {
    /// Transactions that were not known, or not like this.
    public var news: Int
    /// Transactions of original transactions without an owner; they wait for one.
    public var unclaimed: Int
    /// Those whom the facts concern.
    public var owners: Set<AccountID>

    public init(news: Int = 0, unclaimed: Int = 0, owners: Set<AccountID> = []) {
        self.news = news
        self.unclaimed = unclaimed
        self.owners = owners
    }
}
