import Foundation
import InAppPurchase

/// All purchases, in the key/value store.
///
/// A customer's purchases lie side by side (`simulator/customers/<customer>/<transaction>`), one small value each, so
/// that purchases at the same time never write the same value; `simulator/transactions/<transaction>` names the
/// customer. Nothing is kept in memory: processes that share the store see each other's purchases.
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

    /// Oldest first.
    func purchases(ofCustomer key: String) async throws -> [StoredPurchase] {
        try await store.values(withPrefix: "simulator/customers/\(key)/").values
            .map { try JSONDecoder().decode(StoredPurchase.self, from: $0) }
            .sorted {
                ($0.recordedDate, $0.number, $0.transaction.id) < ($1.recordedDate, $1.number, $1.transaction.id)
            }
    }

    /// All transactions with the original ID of the one named, oldest first; empty where it is unknown.
    func line(of id: TransactionID) async throws -> [StoredPurchase] {
        guard id.utf8.count <= Self.identifierLength, id.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let pointer = try await store.value(forKey: "simulator/transactions/\(id)")
        else { return [] }
        let customer = try await purchases(ofCustomer: String(decoding: pointer, as: UTF8.self))
        guard let named = customer.first(where: { $0.transaction.id == id }) else { return [] }
        return
            customer
            .filter { $0.transaction.originalID == named.transaction.originalID }
            .sorted { $0.number < $1.number }
    }

    /// Durable when it returns: all of them, or none.
    func write(_ purchases: [StoredPurchase]) async throws {
        var values: [String: Data] = [:]
        for purchase in purchases {
            let (id, customer) = (purchase.transaction.id, purchase.customer.key)
            values["simulator/transactions/\(id)"] = Data(customer.utf8)
            values["simulator/customers/\(customer)/\(id)"] = try JSONEncoder().encode(purchase)
        }
        try await store.set(values)
    }

    /// Refunds one transaction. Nil where it is unknown.
    func refund(_ id: TransactionID, at date: Date) async throws -> StoredPurchase? {
        try await changes.run {
            guard var purchase = try await line(of: id).first(where: { $0.transaction.id == id }) else { return nil }
            purchase.refund(at: date)
            try await write([purchase])
            return purchase
        }
    }

    /// Lets something happen to a subscription, and returns its newest transaction. Nil where it is unknown, or none.
    func perform(_ act: SubscriptionAct, on id: TransactionID, at date: Date) async throws -> StoredPurchase? {
        try await changes.run {
            guard var current = try await line(of: id).last, current.subscription != nil else { return nil }
            current.apply(act, at: date)
            guard act.startsPeriod else {
                try await write([current])
                return current
            }
            let next = try await current.successor(
                id: identifiers.next(), webOrderLineItemID: identifiers.next(),
                upgradedTo: act.product, at: date)
            try await write([current] + (next.map { [$0] } ?? []))
            return next
        }
    }
}

extension SubscriptionAct {
    fileprivate var product: ProductID? {
        if case .upgrade(let product) = self { product } else { nil }
    }
}
