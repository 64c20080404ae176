import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerHTTP

/// One purchase under several IDs, from the store to what the player has.
@Suite struct PurchaseCopyRouteTests {
    private static let shop = """
        {"apps": [{"bundleID": "\(World.app)", "sandbox": "everyone", "products": [
            {"id": "\(World.app).gems.month", "type": "auto-renewable", "credits": {"gems": 100}},
            {"id": "\(World.app).ring", "type": "non-consumable", "credits": {"gems": 100}},
            {"id": "\(World.app).service", "type": "consumable"}]}]}
        """

    private static let types = ["gems.month": "auto-renewable", "ring": "non-consumable"]

    private func gems(_ answer: Answer) -> JSONValue? { answer.json["balances"]["gems"] }

    @Test(arguments: types)
    func `A restored copy gives nothing anew, and is finished`(product: String, type: String) async throws {
        try await World.run(products: Self.shop) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy(product, type, ["customer": .string(player.account)])
            #expect(gems(try await world.post(bought.signedTransaction, as: player)) == 100)
            for _ in 0..<2 {
                world.clock.advance(by: 60)
                let copy = try await world.act("transactions/\(bought.transactionID)/restore")
                let answer = try await world.post(try #require(copy["signedTransaction"].text), as: player)
                #expect(answer.json["transactions"][0]["id"] == copy["transactionID"])
                #expect(answer.json["transactions"][0]["finish"] == true && answer.json["finish"] == true)
                #expect(gems(answer) == 100)
            }
            let receipt = try await world.freshAppReceipt(of: player)
            #expect(gems(try await world.post(receipt, as: player)) == 100)
        }
    }

    @Test func `A year in refreshed app receipts gives its credits once`() async throws {
        try await World.run(products: Self.shop) { world in
            let bought = try await world.buy("gems.month", "auto-renewable", ["customer": "anna"])
            for _ in 1..<12 {
                world.clock.advance(by: 31 * 86_400)
                _ = try await world.act("subscriptions/\(bought.originalID)/renew")
            }
            let player = try await world.newPlayer()
            let first = try await world.post(try await world.freshAppReceipt(ofCustomer: "anna"), as: player)
            #expect(gems(first) == 1_200)
            var known = Set(first.json["transactions"].array.map(\.["id"].text))
            for time in 2...3 {
                world.clock.advance(by: 60)
                let refreshed = try await world.act("customers/anna/receipt?bundleID=\(World.app)")
                let answer = try await world.post(try #require(refreshed["appReceipt"].text), as: player)
                #expect(gems(answer) == 1_200)
                #expect(answer.json["finish"] == true)
                known.formUnion(answer.json["transactions"].array.map(\.["id"].text))
                #expect(known.count == time * 12)
            }
        }
    }

    @Test(arguments: types, [true, false])
    func `A refund of any ID ends the purchase`(product: (key: String, value: String), isCopyKnown: Bool) async throws {
        try await World.run(products: Self.shop, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy(product.key, product.value)
            _ = try await world.post(bought.signedTransaction, as: player)
            world.clock.advance(by: 60)
            let copy = try await world.act("transactions/\(bought.transactionID)/restore")
            let id = try #require(copy["transactionID"].text)
            if isCopyKnown { _ = try await world.post(try #require(copy["signedTransaction"].text), as: player) }
            world.clock.advance(by: 60)
            _ = try await world.act("transactions/\(id)/refund")
            #expect(try await world.receive(try #require(try await world.signedPayloads().last)).status == 200)
            let entitlement = try await world.entitlement(to: product.key, of: player)
            #expect(entitlement["access"] == "denied" && entitlement["reason"] == "revoked")
        }
    }

    @Test func `A service is delivered, and delivered already the second time`() async throws {
        try await World.run(products: Self.shop) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("service", "consumable")
            for outcome in ["delivered", "alreadyDelivered"] {
                let answer = try await world.post(bought.signedTransaction, as: player)
                #expect(answer.json["transactions"][0]["outcome"] == .string(outcome))
                #expect(answer.json["transactions"][0]["finish"] == true)
                world.clock.advance(by: 60)
            }
        }
    }
}
