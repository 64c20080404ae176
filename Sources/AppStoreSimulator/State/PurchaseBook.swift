import Basics
import Foundation
import InAppPurchase

/// All purchases, in the key/value store.
///
/// A customer's purchases have neighbouring keys (`simulator/customers/<customer>/<transaction>`), one small value
/// each, so that concurrent purchases never write the same value; `simulator/transactions/<transaction>` and
/// `simulator/app-transactions/<app transaction>` name the customer, `simulator/newest/<original transaction>` the
/// newest transaction. So a purchase and an act read and write the same few values, however many purchases there are.
/// Nothing is cached in memory: processes that share the key/value store see each other's purchases.
struct PurchaseBook: Sendable {
    /// Decimal digits of 64 bits.
    static let identifierLength = 20

    let store: any KeyValueStore
    let identifiers: IdentifierSource
    let products: ProductShelf
    /// The next event of each subscription. Of several processes that share a store each has what it changed itself,
    /// and what it found when it last read the store.
    let agenda = Agenda()
    private let changes = SerialQueue()

    init(store: any KeyValueStore, draw: @escaping @Sendable () -> Int) {
        self.store = store
        identifiers = IdentifierSource(store: store, draw: draw)
        products = ProductShelf(store: store)
    }

    /// The purchases of a customer, oldest first.
    func purchases(ofCustomer key: String) async throws -> [StoredPurchase] {
        var purchases: [StoredPurchase] = []
        for value in try await store.values(withPrefix: "simulator/customers/\(key)/").values {
            purchases.append(try await decode(value))
        }
        return purchases.sorted(by: StoredPurchase.isOlder)
    }

    /// All purchases of the customer who made the transaction; empty if it is unknown.
    func purchases(besides id: TransactionID) async throws -> [StoredPurchase] {
        guard let customer = try await customer(of: id) else { return [] }
        return try await purchases(ofCustomer: customer)
    }

    /// All purchases of the customer with this `appTransactionId`; `nil` if it is unknown.
    func purchases(ofAppTransaction id: String) async throws -> [StoredPurchase]? {
        guard id.utf8.count <= Self.identifierLength, id.isDecimal,
            let pointer = try await store.value(forKey: "simulator/app-transactions/\(id)")
        else { return nil }
        return try await purchases(ofCustomer: String(decoding: pointer, as: UTF8.self))
    }

    /// Whether a customer has this `appTransactionId`.
    func hasAppTransaction(_ id: String) async throws -> Bool {
        try await store.value(forKey: "simulator/app-transactions/\(id)") != nil
    }

    /// The transaction; `nil` if it is unknown.
    func purchase(_ id: TransactionID) async throws -> StoredPurchase? {
        guard let value = try await value(of: id) else { return nil }
        return try await decode(value)
    }

    /// The newest transaction of every original transaction, oldest first.
    func newestTransactions() async throws -> [TransactionID] {
        try await store.values(withPrefix: Self.newestPrefix).values
            .map { TransactionID(stored: String(decoding: $0, as: UTF8.self)) }.sorted()
    }

    /// The transaction and the newest of its original transaction; `nil` if it is unknown.
    func outcome(of id: TransactionID) async throws -> ActOutcome? {
        guard let purchase = try await purchase(id) else { return nil }
        let original = purchase.transaction.originalID
        guard let pointer = try await store.value(forKey: Self.newestKey(original)) else { return nil }
        let newest = TransactionID(stored: String(decoding: pointer, as: UTF8.self))
        if newest == id { return ActOutcome(purchase: purchase, newest: purchase) }
        return try await self.purchase(newest).map { ActOutcome(purchase: purchase, newest: $0) }
    }

    /// The purchases in the customer's app receipt at `date`, oldest first.
    func receiptContent(ofCustomer key: String, at date: Date) async throws -> [StoredPurchase] {
        var content: [StoredPurchase] = []
        for id in try await receiptIndex(ofCustomer: key).ids {
            guard let value = try await store.value(forKey: "simulator/customers/\(key)/\(id)") else { continue }
            content.append(try await decode(value))
        }
        return content.receiptContent(at: date).sorted(by: StoredPurchase.isOlder)
    }

    /// The purchases that a refresh of the customer's app receipt restores, oldest first: each once, whichever copies
    /// there are, and no consumable.
    func restorable(ofCustomer key: String, at date: Date) async throws -> [StoredPurchase] {
        var restorable: [TransactionID: StoredPurchase] = [:]
        for entry in try await receiptContent(ofCustomer: key, at: date)
        where entry.transaction.productType != .consumable {
            let bought = entry.copyOf ?? entry.transaction.id
            if restorable[bought] == nil { restorable[bought] = try await purchase(bought) }
        }
        return restorable.values.sorted(by: StoredPurchase.isOlder)
    }

    /// Stores a purchase, the first of its original transaction. Durable when it returns.
    ///
    /// - Returns: whether it is the customer's first subscription in its group; `false` for other products.
    func record(_ purchase: StoredPurchase) async throws -> Bool {
        try await changes.run {
            try await write([purchase], newest: purchase, added: purchase)
            guard let group = purchase.transaction.subscriptionGroupID else { return false }
            let (id, customer) = (Data(purchase.transaction.id.text.utf8), purchase.customer.key)
            return try await store.establish(id, forKey: "simulator/groups/\(customer)/\(group)") == id
        }
    }

    /// Whether a purchase is the first of the customer with an introductory offer in a group; it stays so.
    func beginsIntroduction(_ id: TransactionID, of customer: Customer, in group: String) async throws -> Bool {
        let id = Data(id.text.utf8)
        return try await store.establish(id, forKey: "simulator/introductions/\(customer.key)/\(group)") == id
    }

    /// Stores a restored copy, which is never the newest of its original transaction. Durable when it returns.
    func recordCopy(_ copy: StoredPurchase) async throws {
        try await changes.run {
            guard let newest = try await outcome(of: copy.transaction.originalID)?.newest else { return }
            try await write([copy], newest: newest, added: copy)
        }
    }

    /// Stores the copies in a refreshed app receipt of the customer: all of them, or none. Only that receipt has them;
    /// later ones name the purchases as before. Durable when it returns.
    func recordRefresh(_ copies: [StoredPurchase], of customer: Customer) async throws {
        guard !copies.isEmpty else { return }
        try await changes.run { try await store.set(try await values(of: copies, by: customer)) }
    }

    /// Changes one transaction, and returns it with the newest of its original transaction; `nil` if it is unknown.
    ///
    /// - Throws: what `body` throws; nothing is changed then.
    func change(
        _ id: TransactionID, _ body: @Sendable (inout StoredPurchase) throws -> Void
    ) async throws -> ActOutcome? {
        try await changes.run {
            guard var outcome = try await outcome(of: id) else { return nil }
            let wasRevoked = outcome.purchase.isRevoked
            try body(&outcome.purchase)
            if outcome.newest.transaction.id == id { outcome.newest = outcome.purchase }
            var changed = [outcome.purchase]
            if outcome.purchase.seats?.addedTo == outcome.newest.transaction.id {
                outcome.newest.seats?.countAddition(
                    (wasRevoked ? 1 : 0) - (outcome.purchase.isRevoked ? 1 : 0))
                changed.append(outcome.newest)
            }
            try await write(changed, newest: outcome.newest)
            return outcome
        }
    }

    /// Applies an act to a subscription, and returns its newest transaction; `nil` if it is unknown, or not a
    /// subscription.
    func perform(_ act: SubscriptionAct, on id: TransactionID, at date: Date) async throws -> ActOutcome? {
        try await changes.run {
            guard let before = try await outcome(of: id)?.newest, before.subscription != nil else { return nil }
            let act = try await completed(act, for: before).resolved(for: before, at: date)
            try before.checkSeats(for: act, at: date)
            let kind = act.notification(for: before)
            var current = before
            current.apply(act, at: date)
            if case .addSeats(let quantity) = act {
                return ActOutcome(purchase: try await add(quantity, to: current, at: date), newest: current, kind: kind)
            }
            guard act.startsPeriod else {
                try await write([current], newest: current)
                return ActOutcome(purchase: current, newest: current, kind: kind, unclaimed: act.unclaimed)
            }
            let ids = try await successorIDs(of: before.transaction.id)
            guard
                let next = current.successor(
                    id: TransactionID(stored: ids.transaction), webOrderLineItemID: ids.lineItem, by: act, at: date)
            else { return nil }
            try await write([current, next], newest: next, added: next)
            return ActOutcome(purchase: next, newest: next, kind: kind)
        }
    }
}

extension PurchaseBook {
    private static let duePrefix = "simulator/due/"
    private static let planPrefix = "simulator/planned-acts/"

    /// Reads the agenda from the store: what there was before this process, and what others have added.
    func readAgenda() async throws {
        for (key, value) in try await store.values(withPrefix: Self.duePrefix) {
            guard let date = Int(String(decoding: value, as: UTF8.self)) else { continue }
            let id = String(key.dropFirst(Self.duePrefix.count))
            await agenda.set(Date(milliseconds: date), for: .subscription(TransactionID(stored: id)))
        }
        for (key, value) in try await store.values(withPrefix: Self.planPrefix) {
            await agenda.set(try JSONDecoder().decode(PlannedAct.self, from: value).date, for: .plannedAct(key))
        }
    }

    /// Plans acts of a subscription.
    func plan(_ acts: [PlannedAct]) async throws {
        var values: [String: (date: Date, data: Data)] = [:]
        for act in acts {
            values["\(Self.planPrefix)\(act.original)/\(UUID().text)"] = (act.date, try JSONEncoder().encode(act))
        }
        try await store.set(values.mapValues(\.data))
        for (key, value) in values { await agenda.set(value.date, for: .plannedAct(key)) }
    }

    /// The number of acts that are planned for a subscription.
    func planned(_ original: TransactionID) async throws -> Int {
        try await store.values(withPrefix: "\(Self.planPrefix)\(original)/").count
    }

    /// Removes a planned act, and returns it; `nil` if there is none.
    func removePlannedAct(_ key: String) async throws -> PlannedAct? {
        let act = try await store.value(forKey: key).map { try JSONDecoder().decode(PlannedAct.self, from: $0) }
        try await store.removeValues(forKeys: [key])
        await agenda.set(nil, for: .plannedAct(key))
        return act
    }

    /// The IDs of the transaction that follows another one and of what it buys: the same ones for each process that
    /// lets it follow, so that a subscription never continues twice.
    private func successorIDs(of id: TransactionID) async throws -> (transaction: String, lineItem: String) {
        let drawn = [try await identifiers.next(), try await identifiers.next()]
        let standing = try await store.establish(JSONEncoder().encode(drawn), forKey: "simulator/successors/\(id)")
        let ids = try JSONDecoder().decode([String].self, from: standing)
        guard let transaction = ids.first, let lineItem = ids.last else { throw IdentifierSource.Unavailable() }
        return (transaction, lineItem)
    }

    /// Stores added seats with the period that they were added to.
    private func add(_ quantity: Int, to period: StoredPurchase, at date: Date) async throws -> StoredPurchase {
        let id = TransactionID(stored: try await identifiers.next())
        let item = try await identifiers.next()
        let added = period.addition(of: quantity, id: id, webOrderLineItemID: item, at: date)
        try await write([period, added], newest: period, added: added)
        return added
    }

    /// The act with what its choice leaves open taken from the product information.
    private func completed(_ act: SubscriptionAct, for current: StoredPurchase) async throws -> SubscriptionAct {
        guard let choice = act.choice else { return act }
        let id = choice.product ?? current.transaction.productID
        let known = try await products.product(id, of: current.transaction.app)
        var completed = choice.completed(by: known, in: current.storefront)
        if current.subscription?.billingPlan == .monthly, id == current.transaction.productID {
            // The information is about the whole commitment.
            (completed.period, completed.price) = (choice.period, choice.price)
        }
        return act.choosing(completed)
    }

    /// The purchase, with the present state of its leader.
    private func decode(_ value: Data) async throws -> StoredPurchase {
        let purchase = try JSONDecoder().decode(StoredPurchase.self, from: value)
        guard let leader = purchase.leader, let value = try await self.value(of: leader) else { return purchase }
        return purchase.following(try await decode(value))
    }

    /// The stored form of the transaction; `nil` if it is unknown.
    private func value(of id: TransactionID) async throws -> Data? {
        guard let customer = try await customer(of: id) else { return nil }
        return try await store.value(forKey: "simulator/customers/\(customer)/\(id)")
    }

    /// The key of the customer who made the transaction; `nil` if it is unknown.
    private func customer(of id: TransactionID) async throws -> String? {
        guard id.text.utf8.count <= Self.identifierLength, id.text.isDecimal else { return nil }
        return try await store.value(forKey: "simulator/transactions/\(id)").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes all of them, or none.
    ///
    /// - Parameters:
    ///   - newest: the newest transaction of their original transaction.
    ///   - added: the one among them that was not there before.
    private func write(
        _ purchases: [StoredPurchase], newest: StoredPurchase, added: StoredPurchase? = nil
    ) async throws {
        let customer = (added ?? newest).customer
        var values = try await values(of: purchases, by: customer)
        values[Self.newestKey(newest.transaction.originalID)] = Data(newest.transaction.id.text.utf8)
        if let added {
            let key = customer.key
            var index = try await receiptIndex(ofCustomer: key)
            index.add(added)
            values[Self.receiptKey(key)] = try JSONEncoder().encode(index)
        }
        let (original, due) = (newest.transaction.originalID, newest.nextEvent?.date)
        values[Self.duePrefix + original.text] = due.map { Data(String($0.milliseconds).utf8) }
        try await store.set(values)
        if due == nil, await agenda.contains(.subscription(original)) {
            try await store.removeValues(forKeys: [Self.duePrefix + original.text])
        }
        await agenda.set(due, for: .subscription(original))
    }

    /// The values of a customer's purchases, which are the latest changes.
    private func values(of purchases: [StoredPurchase], by customer: Customer) async throws -> [String: Data] {
        let key = customer.key
        var values = ["simulator/app-transactions/\(customer.appTransactionID)": Data(key.utf8)]
        var change = try await lastChange(ofCustomer: key)
        for var purchase in purchases {
            change = change.saturatingAdding(1)
            purchase.change = change
            let id = purchase.transaction.id
            values["simulator/transactions/\(id)"] = Data(key.utf8)
            values["simulator/customers/\(key)/\(id)"] = try JSONEncoder().encode(purchase)
        }
        values[Self.changeKey(key)] = Data(String(change).utf8)
        return values
    }

    private func lastChange(ofCustomer key: String) async throws -> Int {
        try await store.value(forKey: Self.changeKey(key)).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    private func receiptIndex(ofCustomer key: String) async throws -> ReceiptIndex {
        try await store.value(forKey: Self.receiptKey(key)).map {
            try JSONDecoder().decode(ReceiptIndex.self, from: $0)
        } ?? ReceiptIndex()
    }

    private static let newestPrefix = "simulator/newest/"
    private static func newestKey(_ original: TransactionID) -> String { newestPrefix + original.text }
    private static func changeKey(_ customer: String) -> String { "simulator/changes/\(customer)" }
    private static func receiptKey(_ customer: String) -> String { "simulator/receipts/\(customer)" }
}
