import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

/// The values of the store that a purchase and an act read and write.
@Suite struct CostTests {
    /// The same with few and with many earlier purchases of other customers, and of the same one once their receipt is
    /// full.
    @Test(arguments: [("other", 10), ("common", 150)])
    func `Purchases and acts cost the same after many earlier ones`(earlier customer: String, few: Int) async throws {
        #expect(try await costs(after: few, of: customer) == (try await costs(after: 10_000, of: customer)))
    }

    private func costs(after earlier: Int, of customer: String) async throws -> [String: Int] {
        let store = MemoryKeyValueStore()
        try await Shop.open(store) { shop in try await shop.crowd(earlier, customer) }
        let counting = CountingStore(store)
        return try await Shop.open(store, through: counting) { shop in
            try await shop.giveAddress()
            var (costs, count) = ([String: Int](), counting.count)
            func measure(_ name: String) {
                costs[name] = counting.count - count
                count = counting.count
            }
            _ = try await shop.buy("consumable", "hints")
            measure("consumable")
            let words = try await shop.buy("non-consumable", "words")["transactionID"].text
            measure("non-consumable")
            let club = try await shop.buy("auto-renewable", "club")["transactionID"].text
            measure("auto-renewable")
            for act in ["renew", "cancel", "reenable", "grace", "renew", "expire", "resubscribe"] {
                _ = try await shop.act("subscriptions/\(club)/\(act)")
                measure(act)
            }
            for act in ["refund", "refund-reversed"] {
                _ = try await shop.act("transactions/\(words)/\(act)")
                measure(act)
            }
            return costs
        }
    }
}

extension Shop {
    /// An address to which nothing is sent: what is sent is counted elsewhere.
    fileprivate func giveAddress() async throws {
        let late: JSONValue = ["late": 1_000_000]
        try #require(try await send(.post, "/simulator/v1/notification-faults", late).status == .noContent)
        let nobody: JSONValue = ["url": "http://localhost:1/notifications"]
        try #require(try await send(.put, "/simulator/v1/notification-url", nobody).status == .noContent)
    }

    /// This many purchases of one customer, stored as the store itself stores them.
    fileprivate func crowd(_ count: Int, _ customer: String) async throws {
        let book = PurchaseBook(store: store) { Int.random(in: IdentifierSource.range) }
        let types: [ProductType] = [.consumable, .nonConsumable, .autoRenewable]
        for number in 0..<count {
            let bought = try await buy(number: number, types[number % types.count], customer)
            _ = try await book.record(bought)
        }
    }

    private func buy(number: Int, _ type: ProductType, _ customer: String) async throws -> StoredPurchase {
        let id = TransactionID(stored: String(1_000_000_000_000_000 + number))
        let transaction = Transaction(
            id: id, originalID: id, app: BundleID(stored: Shop.app), environment: .production, productID: "p",
            productType: type,
            purchaseDate: clock.now, expirationDate: type == .autoRenewable ? clock.now + 86_400 : nil,
            subscriptionGroupID: type == .autoRenewable ? "1" : nil, signedDate: clock.now, isSigned: true)
        return StoredPurchase(
            transaction: transaction, customerName: customer, recordedDate: clock.now, number: 1, isRenewal: false,
            storefront: Storefront.standard)
    }
}
