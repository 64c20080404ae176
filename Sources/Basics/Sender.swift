/// The client for whom work is done: what is scarce is shared by these.
package struct Sender: Hashable, Sendable {
    /// The address that limits count for, as a number; `nil` if it is not known, as in work that no client waits for.
    package var address: UInt128?
    /// The account; `nil` if there is none.
    package var account: String?

    package init(address: UInt128? = nil, account: String? = nil) {
        self.address = address
        self.account = account
    }

    /// The client of the request that this task answers.
    @TaskLocal package static var current = Sender()
}

extension Collection<Sender> {
    /// The place in a full queue that a newcomer takes: the last one of the address that has most, and there of the
    /// account that has most; `nil` if that is not more than the newcomer would have.
    ///
    /// So a client that fills a queue waits for itself, and keeps nobody else out.
    package func index(for newcomer: Sender) -> Index? {
        var addresses: [UInt128?: Int] = [:]
        var accounts: [Sender: Int] = [:]
        for sender in self {
            addresses[sender.address, default: 0] += 1
            accounts[sender, default: 0] += 1
        }
        func size(_ sender: Sender) -> (Int, Int) { (addresses[sender.address] ?? 0, accounts[sender] ?? 0) }
        var most: Index?
        for index in indices where most.map({ size(self[$0]) <= size(self[index]) }) ?? true { most = index }
        guard let most else { return nil }
        let (found, own) = (size(self[most]), size(newcomer))
        let isOther = self[most].address != newcomer.address
        return (isOther ? found.0 > own.0 + 1 : found.1 > own.1 + 1) ? most : nil
    }
}
