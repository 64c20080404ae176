import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// A subscription that several accounts of one customer pay for, from the store to what the players have.
@Suite struct PayerRouteTests {
    private static let shop = """
        {"apps": [{"bundleID": "\(World.app)", "products": [
            {"id": "\(World.app).gems.month", "type": "auto-renewable", "group": "gems", "credits": {"gems": 100}},
            {"id": "\(World.app).gems.year", "type": "auto-renewable", "group": "gems",
                "credits": {"gems": 1000}}]}]}
        """

    private func gems(of player: Player, _ world: World) async throws -> JSONValue {
        try await world.entitlements(of: player)["balances"]["gems"]
    }

    @Test(arguments: [true, false])
    func `A new payment is the payer's, told of by the store or presented without a transfer`(isNotified: Bool)
        async throws
    {
        try await World.run(products: Self.shop, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let (first, second) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy(
                "gems.month", "auto-renewable", ["appAccountToken": .string(first.account)])
            _ = try await world.post(bought.signedTransaction, as: first)
            world.clock.advance(by: 40 * 86_400)
            let paid = try await world.act(
                "subscriptions/\(bought.transactionID)/resubscribe", ["appAccountToken": .string(second.account)])
            if isNotified {
                #expect(try await world.receive(try #require(try await world.signedPayloads().last)).status == 200)
            } else {
                let answer = try await world.send(
                    try #require(paid["signedTransaction"].text), as: second, mayTransfer: false)
                #expect(answer.status == 200 && answer.json["transactions"][0]["outcome"] == "delivered")
            }
            #expect(try await world.entitlement(to: "gems.month", of: second)["access"] == "granted")
            let former = try await world.entitlement(to: "gems.month", of: first)
            #expect(former["access"] == "denied" && former["reason"] == "expired")
            #expect(try await gems(of: first, world) == 100)
            #expect(try await gems(of: second, world) == 100)
        }
    }

    @Test func `Changing between plans makes no credits`() async throws {
        try await World.run(products: Self.shop) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy(
                "gems.year", "auto-renewable", ["period": "P1Y", "appAccountToken": .string(player.account)])
            _ = try await world.post(bought.signedTransaction, as: player)
            for product in ["gems.month", "gems.year", "gems.month", "gems.year"] {
                world.clock.advance(by: 3_600)
                let period: JSONValue = product == "gems.year" ? "P1Y" : "P1M"
                let next = try await world.act(
                    "subscriptions/\(bought.transactionID)/upgrade",
                    ["productID": .string("\(World.app).\(product)"), "period": period])
                _ = try await world.post(try #require(next["signedTransaction"].text), as: player)
            }
            // An hour of a year with 1,000 is less than one, and of a month with 100 too: rounded up for the player.
            let gems = try await gems(of: player, world)
            #expect(gems == .integer(1_000 + 4 * 1), "\(gems)")
        }
    }
}
