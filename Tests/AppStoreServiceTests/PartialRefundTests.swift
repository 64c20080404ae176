import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine

/// Partial refunds, from the App Store's notification to what the player sees.
@Suite struct PartialRefundTests {
    /// Refunds a share of the purchase, and notifies the server.
    private func refund(_ bought: Bought, _ percentage: Int?, _ world: World) async throws {
        world.clock.advance(by: 60)
        let share = percentage.map { ["percentage": JSONValue.integer($0)] } ?? [:]
        _ = try await world.act("transactions/\(bought.transactionID)/refund", .object(share))
        try await tellTheLast(world)
    }

    private func tellTheLast(_ world: World) async throws {
        #expect(try await world.receive(try #require(try await world.signedPayloads().last)).status == 200)
    }

    @Test func `A partial refund takes credits by its share`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable", ["quantity": 3])
            #expect(try await world.post(bought.signedTransaction, as: player).json["balances"]["hints"] == 30)
            for (percentage, hints) in [(33_333, 20), (50_000, 15), (0, 30), (100_000, 0)] {
                try await refund(bought, percentage, world)
                let balances = try await world.entitlements(of: player)["balances"]
                #expect(balances == ["hints": .integer(hints)], "\(percentage)")
            }
            world.clock.advance(by: 60)
            _ = try await world.act("transactions/\(bought.transactionID)/refund-reversed")
            try await tellTheLast(world)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 30])
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    @Test func `A partial refund ends access only where the rule says so`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            let night = try await world.buy("nighttheme.month", "non-renewing")
            let club = try await world.buy("club.monthly", "auto-renewable")
            for bought in [words, night, club] {
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
                try await refund(bought, 50_000, world)
            }
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            // Half of the 28 to 31 days of a month.
            let until = try #require(try await world.entitlement(to: "nighttheme.month", of: player)["until"].text)
            let end = try #require(Date(rfc3339: until))
            #expect((14 * 86_400...15.5 * 86_400).contains(end.timeIntervalSince(World.start)), "\(until)")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["reason"] == "revoked")
            try await refund(words, 100_000, world)
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
        }
    }

    /// A receipt that comes after the refund brings what is left of the purchase.
    @Test func `A receipt after a partial refund delivers what is left`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            let refunded = try await world.act("transactions/\(bought.transactionID)/refund", ["percentage": 50_000])
            let answer = try await world.post(try #require(refunded["signedTransaction"].text), as: player)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            #expect(answer.json["balances"] == ["hints": 5])
        }
    }
}
