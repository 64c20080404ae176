import InAppPurchase

/// Which purchases transactions are copies of, and what was recorded of those before.
///
/// A purchase has the name that its first copy got, so that a name never changes, except that two purchases become one
/// if a later copy has marks of both.
struct RecordedPurchases {
    /// The transactions of each purchase as they were recorded.
    private var earlier: [Transaction.Key: [RecordedTransaction]] = [:]
    private var names: [Transaction.Key: TransactionID?] = [:]
    private var marked: [ScopedMark: [(lineItem: Transaction.PurchaseMark?, name: TransactionID)]] = [:]
    /// The purchases that turned out to be copies of another one, with its name.
    private(set) var joined: [(from: Transaction.Key, to: TransactionID)] = []
    /// Whether a transaction that counted as a purchase, or as a copy of one, turned out to have added seats only.
    private(set) var hasFewer = false
    /// The original transactions of periods that are of several, by ``Transaction/PurchaseMark/lineItem(_:_:of:)``.
    private var originals: [ScopedMark: Set<TransactionID>] = [:]

    private struct ScopedMark: Hashable {
        var scope: Scope
        var mark: Transaction.PurchaseMark
    }

    /// - Parameters:
    ///   - found: all transactions of the purchases that may be those of the transactions.
    ///   - known: what is recorded of the transactions themselves.
    ///   - additions: the keys of those that only added seats to a period: they are no purchases.
    ///   - type: of a transaction's product, where the App Store does not say it.
    init(
        of transactions: [Transaction], found: [RecordedTransaction], known: [Transaction.Key: RecordedTransaction],
        additions: Set<Transaction.Key>, type: (Transaction) -> ProductType?
    ) {
        hasFewer = additions.contains { known[$0]?.purchase != nil }
        let found = found.filter { !additions.contains($0.transaction.key) }
        var all = known.filter { !additions.contains($0.key) }
        for record in found { all[record.transaction.key] = record }
        for record in all.values { if let key = record.purchaseKey { earlier[key, default: []].append(record) } }
        for record in found {
            guard let name = record.purchase else { continue }
            mark(record.transaction, record.terms?.type ?? type(record.transaction), name)
        }
        // What an earlier version counted as two purchases is found by neither; it stays so until it is repaired.
        let apart = Set(known.keys).subtracting(found.map(\.transaction.key))
        for transaction in transactions.sorted(by: { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }) {
            let own = known[transaction.key]?.purchase
            if additions.contains(transaction.key) {
                names[transaction.key] = .some(nil)
            } else if own != nil, apart.contains(transaction.key) {
                names[transaction.key] = own
            } else {
                name(transaction, own, type(transaction))
            }
        }
    }

    private mutating func name(_ transaction: Transaction, _ own: TransactionID?, _ type: ProductType?) {
        let candidates = ([own].compactMap(\.self) + matches(transaction, type)).unique
        let isNew = candidates.isEmpty && !transaction.isOnlyEvidence(of: type)
        let usual = transaction.isPeriod(of: type) ? transaction.id : transaction.purchaseID
        guard let name = candidates.min() ?? (isNew ? usual : nil) else { return names[transaction.key] = .some(nil) }
        for other in candidates where other != name { join(other, to: name, transaction) }
        names[transaction.key] = name
        mark(transaction, type, name)
    }

    private mutating func join(_ other: TransactionID, to name: TransactionID, _ transaction: Transaction) {
        for index in joined.indices where joined[index].to == other { joined[index].to = name }
        joined.append((transaction.key(ofPurchase: other), name))
        for (key, known) in names where known == other { names[key] = name }
        for (mark, known) in marked {
            marked[mark] = known.map { ($0.lineItem, $0.name == other ? name : $0.name) }
        }
    }

    private func matches(_ transaction: Transaction, _ type: ProductType?) -> [TransactionID] {
        let (scope, item) = (Scope(transaction), transaction.lineItemMark(of: type))
        let same = item.flatMap { marked[ScopedMark(scope: scope, mark: $0)] } ?? []
        let beside = marked[ScopedMark(scope: scope, mark: transaction.mark(of: type))] ?? []
        return (same + beside.filter { $0.lineItem == nil || item == nil }).map(\.name)
    }

    private mutating func mark(_ transaction: Transaction, _ type: ProductType?, _ name: TransactionID) {
        guard !transaction.isOnlyEvidence(of: type) else { return }
        let (scope, item) = (Scope(transaction), transaction.lineItemMark(of: type))
        if let item { originals[ScopedMark(scope: scope, mark: item), default: []].insert(transaction.originalID) }
        for mark in [item, transaction.mark(of: type)].compactMap(\.self) {
            marked[ScopedMark(scope: scope, mark: mark), default: []].append((item, name))
        }
    }

    /// The original transactions that are another one, since one period is of both, with the ID of that one: the
    /// smaller.
    var joinedOriginals: [OriginalTransaction.Key: TransactionID] {
        var joined: [OriginalTransaction.Key: TransactionID] = [:]
        for (mark, ids) in originals where ids.count > 1 {
            guard let name = ids.min(by: { $0.numericOrder < $1.numericOrder }) else { continue }
            for id in ids where id != name { joined[mark.scope.original(id)] = name }
        }
        return joined
    }

    /// The name of the purchase that the transaction is a copy of; `nil` if it only shows its original transaction.
    func name(of transaction: Transaction) -> TransactionID? { names[transaction.key] ?? nil }

    /// The purchase that the transaction is a copy of, as it was recorded; `nil` if no copy was.
    func recorded(_ transaction: Transaction) -> RecordedTransaction? { copies(of: transaction).purchase }

    /// The statements of the transaction and of the recorded copies of its purchase together.
    func merged(_ transaction: Transaction) -> Transaction {
        let others = copies(of: transaction).map(\.transaction).filter { $0.key != transaction.key }
        return others.isEmpty ? transaction : Transaction.purchase(of: others + [transaction]) ?? transaction
    }

    /// Adds the recorded copies that credit another account than the purchase does which they turned out to be of.
    func creditAlike(_ transaction: Transaction, _ credited: inout [Transaction.Key: AccountID]) {
        let copies = copies(of: transaction)
        guard copies.count > 1, let named = copies.named else { return }
        let account = credited[named.transaction.key] ?? named.creditedTo
        for copy in copies where (credited[copy.transaction.key] ?? copy.creditedTo) != account {
            credited[copy.transaction.key] = account
        }
    }

    /// The recorded copies of the purchase that the transaction is a copy of.
    func copies(of transaction: Transaction) -> [RecordedTransaction] {
        guard let name = name(of: transaction) else { return [] }
        let keys = [transaction.key(ofPurchase: name)] + joined.filter { $0.to == name }.map(\.from)
        return keys.flatMap { earlier[$0] ?? [] }.map { record in
            var copy = record
            copy.purchase = name
            return copy
        }
    }
}

extension Scope {
    fileprivate init(_ transaction: Transaction) {
        self.init(app: transaction.app, environment: transaction.environment)
    }
}
