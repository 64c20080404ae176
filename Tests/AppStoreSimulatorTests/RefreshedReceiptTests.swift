import AppStore
import Foundation
import HTTPTypes
import InAppPurchase
import TestSupport
import Testing

@testable import AppStoreSimulator

/// App receipts that a customer's device refreshes, as the product's own verifier reads them.
@Suite struct RefreshedReceiptTests {
    private static func path(_ customer: String) -> String {
        "/simulator/v1/customers/\(customer)/receipt?bundleID=\(Shop.app)"
    }

    private static func refresh(_ shop: Shop, of customer: String = "anna") async throws -> JSONValue {
        let answer = try await shop.send(.post, path(customer))
        try #require(answer.status == .ok)
        return answer.json["appReceipt"]
    }

    private static func current(_ shop: Shop) async throws -> [Transaction] {
        try await transactions(try await shop.send(.get, path("anna")).json["appReceipt"], shop)
    }

    private static func transactions(_ receipt: JSONValue, _ shop: Shop) async throws -> [Transaction] {
        let anchors = try TrustAnchors(
            signedDataRoots: [Data(shop.simulator.rootCertificate)],
            receiptRoots: [Data(shop.simulator.receiptRootCertificate)])
        return try await AppReceiptVerifier(anchors: anchors).verify(receipt.text, at: shop.clock.now)
            .receipt.transactions
    }

    /// Everything but the IDs and the date of the receipt.
    private static func facts(_ transactions: [Transaction]) -> Set<Transaction> {
        Set(
            transactions.map { transaction in
                var transaction = transaction
                (transaction.id, transaction.signedDate) = (transaction.originalID, TestClock.start)
                return transaction
            })
    }

    @Test func `Each refresh of an app receipt gives each purchase a new ID, and changes no other fact`() async throws {
        try await Shop.open { shop in
            _ = try await shop.buy("auto-renewable", "club", ["customer": "anna"])
            _ = try await shop.buy("non-consumable", "words", ["customer": "anna"])
            _ = try await shop.buy("non-consumable", "words", ["customer": "bert"])
            shop.clock.advance(by: 335 * 86_400)
            _ = try await shop.buy("consumable", "hints", ["customer": "anna"])
            let before = try await Self.current(shop)
            let restorable = before.filter { $0.productID != "hints" }
            #expect(before.count == 14 && restorable.count == 13)
            #expect(Set(before.compactMap { $0.details?.webOrderLineItemID }).count == 12)
            var known = Set(before.map(\.id))
            for _ in 0..<2 {
                shop.clock.advance(by: 1)
                let refreshed = try await Self.transactions(try await Self.refresh(shop), shop)
                #expect(refreshed.count == 13 && Self.facts(refreshed) == Self.facts(restorable))
                #expect(known.isDisjoint(with: refreshed.map(\.id)))
                known.formUnion(refreshed.map(\.id))
            }
            #expect(known.count == 14 + 2 * 13)
            #expect(try await Set(Self.current(shop).map(\.id)) == Set(before.map(\.id)))
        }
    }

    @Test func `The App Store knows the IDs in a refreshed app receipt`() async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("auto-renewable", "club", ["customer": "anna"])["transactionID"].text
            _ = try await shop.act("transactions/\(id)/finish")
            shop.clock.advance(by: 60)
            let receipt = try await Self.refresh(shop)
            let copy = try #require(try await Self.transactions(receipt, shop).first?.id.text)
            let entries = try await shop.verifyReceipt(receipt)["receipt"]["in_app"].elements
            #expect(entries.map { $0["transaction_id"].text } == [copy])
            let caller = try await Caller(shop)
            let bought = try await Self.payload(id, caller)
            let restored = try await Self.payload(copy, caller)
            #expect(restored["transactionId"].text == copy)
            for name in ["originalTransactionId", "webOrderLineItemId", "purchaseDate", "expiresDate"] {
                #expect(restored[name] == bought[name] && restored[name] != .null, "\(name)")
            }
            // The device has nothing more to finish.
            let list = try await shop.send(.get, "/simulator/v1/customers/anna/transactions?bundleID=\(Shop.app)").json
            #expect(list["unfinished"] == 0)
            #expect(try Caller.ids(list["transactions"]) == [id])
            _ = try await shop.act("transactions/\(copy)/refund")
            #expect(try await Self.payload(id, caller)["revocationDate"] != .null)
            let refreshed = try await Self.transactions(try await Self.refresh(shop), shop)
            #expect(refreshed.map(\.revocation?.date) == [shop.clock.now])
            let renewed = try await shop.act("subscriptions/\(id)/resubscribe")
            #expect(renewed["originalTransactionID"].text == id)
        }
    }

    private static func payload(_ id: String, _ caller: Caller) async throws -> JSONValue {
        try SignedMessage.payload(try await caller.get("v1/transactions/\(id)")["signedTransactionInfo"])
    }

    @Test(arguments: ["anna", "bert"])
    func `A purchase that was restored before is once in a refreshed app receipt`(customer: String) async throws {
        try await Shop.open { shop in
            let id = try await shop.buy("non-consumable", "words", ["customer": "anna"])["transactionID"].text
            let date = shop.clock.now
            for _ in 0..<2 {
                shop.clock.advance(by: 60)
                let path = "/simulator/v1/transactions/\(id)/restore"
                let answer = try await shop.send(.post, path, ["customer": .string(customer)])
                try #require(answer.status == .created)
            }
            let refreshed = try await Self.transactions(try await Self.refresh(shop, of: customer), shop)
            #expect(refreshed.map(\.originalID.text) == [id])
            #expect(refreshed.map(\.purchaseDate) == [date])
        }
    }
}
