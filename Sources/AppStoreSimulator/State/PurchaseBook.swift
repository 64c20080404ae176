import Basics
import Foundation
import InAppPurchase

/// All purchases, in the key/value store.
///
/// A customer's purchases have neighbouring keys (`simulator/customers/<customer>/<transaction>`), one small value
/// each, so that concurrent purchases never write the same value; `simulator/transactions/<transaction>` and
/// `simulator/app-transactions/<app transaction>` name the customer. Nothing is cached in memory: processes that share
/// the key/value store see each other's purchases.
struct PurchaseBook: Sendable {
    /// Decimal digits of 64 bits.
    static let identifierLength = 20

    let store: any KeyValueStore
    let identifiers: IdentifierSource
    private let changes = SerialQueue()

    init(store: any KeyValueStore, draw: @escaping @Sendable () -> Int) {
        self.store = store
        identifiers = IdentifierSource(store: store, draw: draw)
    }

    /// The purchases of a customer, oldest first.
    func purchases(ofCustomer key: String) async throws -> [StoredPurchase] {
        try await store.values(withPrefix: "simulator/customers/\(key)/").values
            .map { try JSONDecoder().decode(StoredPurchase.self, from: $0) }
            .sorted {
                ($0.recordedDate, $0.number, $0.transaction.id) < ($1.recordedDate, $1.number, $1.transaction.id)
            }
    }

    /// All purchases of the customer who made the transaction; empty if it is unknown.
    func purchases(besides id: TransactionID) async throws -> [StoredPurchase] {
        guard id.utf8.count <= Self.identifierLength, id.isDecimal,
            let pointer = try await store.value(forKey: "simulator/transactions/\(id)")
        else { return [] }
        return try await purchases(ofCustomer: String(decoding: pointer, as: UTF8.self))
    }

    /// All purchases of the customer with this `appTransactionId`; `nil` if it is unknown.
    func purchases(ofAppTransaction id: String) async throws -> [StoredPurchase]? {
        guard id.utf8.count <= Self.identifierLength, id.isDecimal,
            let pointer = try await store.value(forKey: "simulator/app-transactions/\(id)")
        else { return nil }
        return try await purchases(ofCustomer: String(decoding: pointer, as: UTF8.self))
    }

    /// All transactions with the original ID of the one named, oldest first; empty if it is unknown.
    func line(of id: TransactionID) async throws -> [StoredPurchase] {
        try await purchases(besides: id).line(of: id)
    }

    /// Stores a purchase. Durable when it returns.
    func record(_ purchase: StoredPurchase) async throws {
        try await changes.run { try await write([purchase]) }
    }

    /// Writes all of them, or none.
    private func write(_ purchases: [StoredPurchase]) async throws {
        var values: [String: Data] = [:]
        guard let customer = purchases.first?.customer else { return }
        var change = try await self.purchases(ofCustomer: customer.key).compactMap(\.change).max() ?? 0
        for var purchase in purchases {
            change = change.saturatingAdding(1)
            purchase.change = change
            let (id, key) = (purchase.transaction.id, customer.key)
            values["simulator/transactions/\(id)"] = Data(key.utf8)
            values["simulator/customers/\(key)/\(id)"] = try JSONEncoder().encode(purchase)
        }
        values["simulator/app-transactions/\(customer.appTransactionID)"] = Data(customer.key.utf8)
        try await store.set(values)
    }

    /// Changes one transaction, and returns it with the newest of its original transaction; `nil` if it is unknown.
    ///
    /// - Throws: what `body` throws; nothing is changed then.
    func change(
        _ id: TransactionID, _ body: @Sendable (inout StoredPurchase) throws -> Void
    ) async throws -> ActOutcome? {
        try await changes.run {
            let line = try await line(of: id)
            guard var purchase = line.first(where: { $0.transaction.id == id }), let last = line.last else {
                return nil
            }
            try body(&purchase)
            try await write([purchase])
            return ActOutcome(purchase: purchase, newest: last.transaction.id == id ? purchase : last)
        }
    }

    /// Applies an act to a subscription, and returns its newest transaction; `nil` if it is unknown, or not a
    /// subscription.
    func perform(_ act: SubscriptionAct, on id: TransactionID, at date: Date) async throws -> ActOutcome? {
        try await changes.run {
            guard let before = try await line(of: id).last, before.subscription != nil else { return nil }
            let act = act.resolved(for: before, at: date)
            let kind = act.notification(for: before)
            var current = before
            current.apply(act, at: date)
            guard act.startsPeriod else {
                try await write([current])
                return ActOutcome(purchase: current, newest: current, kind: kind)
            }
            let next = try await current.successor(
                id: identifiers.next(), webOrderLineItemID: identifiers.next(), by: act, at: date)
            try await write([current] + (next.map { [$0] } ?? []))
            return next.map { ActOutcome(purchase: $0, newest: $0, kind: kind) }
        }
    }
}

extension Array where Element == StoredPurchase {
    /// The transactions with the original ID of the one named, oldest first; empty if it is not among them.
    func line(of id: TransactionID) -> [StoredPurchase] {
        guard let named = first(where: { $0.transaction.id == id }) else { return [] }
        return filter { $0.transaction.originalID == named.transaction.originalID }.sorted { $0.number < $1.number }
    }
}
