import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine

/// A ``SubscriptionYear`` passes in the simulated App Store, which notifies the server of it; day by day the player
/// sees what the table says, and the reports count it.
@Suite struct SubscriptionYearTests {
    @Test func `Every day of a subscription's year is as the table says`() async throws {
        try await World.run(products: SubscriptionYear.catalog, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let order = SubscriptionYear.order.merging(["appAccountToken": .string(player.account)]) { $1 }
            let bought = try await world.buy("club.weekly", "auto-renewable", order)
            let acts = SubscriptionYear.plan.map { day, act, body -> JSONValue in
                ["act": .string(act), "after": .string("P\(day)D"), "body": body]
            }
            _ = try await world.act("subscriptions/\(bought.originalID)/plan", ["acts": .array(acts)])
            var reported: Set<String> = []
            for day in 0..<SubscriptionYear.days {
                world.clock.advance(by: day == 0 ? 43_200 : 86_400)
                for payload in try await world.signedPayloads(ofDays: 1.5) where reported.insert(payload).inserted {
                    #expect(try await world.receive(payload).status == 200)
                }
                try await Self.compareEntitlements(on: day, of: player, in: world)
                try await Self.compareReports(on: day, in: world)
            }
            // There was a notification for each act and each renewal.
            #expect(reported.count > 55, "\(reported.count)")
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    private static func compareEntitlements(on day: Int, of player: Player, in world: World) async throws {
        let stage = try #require(SubscriptionYear.stages.last { $0.day <= day })
        let all = try await world.entitlements(of: player)["entitlements"].array
        func access(_ product: String) -> String? {
            let found = all.first { $0["product"].text == product }
            return found.flatMap { $0["access"].text == "granted" ? "granted" : $0["reason"].text }
        }
        let weekly = access(SubscriptionYear.weekly)
        #expect(weekly == stage.weekly, "day \(day)")
        #expect(access(SubscriptionYear.gold) == stage.gold, "day \(day)")
        let product = stage.gold == nil ? SubscriptionYear.weekly : SubscriptionYear.gold
        let subscription = all.first { $0["product"].text == product }?["subscription"] ?? .null
        #expect(subscription["phase"].text == stage.phase, "day \(day): \(subscription)")
        #expect(subscription["willRenew"] == .bool(stage.willRenew), "day \(day): \(subscription)")
        #expect(subscription["billingIssue"].text == stage.billingIssue, "day \(day): \(subscription)")
        #expect(subscription["expirationReason"].text == stage.expirationReason, "day \(day): \(subscription)")
        #expect(subscription["priceIncrease"]["state"].text == stage.priceIncrease, "day \(day): \(subscription)")
    }

    private static func compareReports(on day: Int, in world: World) async throws {
        var numbers: [String: Int] = [:]
        for kind in ReportKind.allCases {
            let query = try #require(ReportQuery(kind, by: .day, from: World.start, to: World.start + 400 * 86_400))
            let total = try await world.ledger.report(query, at: world.clock.now).total
            for column in kind.columns {
                numbers["\(kind).\(column.rawValue)"] = column.hasNames ? nil : total[column]
                for (name, number) in total.named(column) { numbers["\(kind).\(column.rawValue).\(name)"] = number }
            }
        }
        let expected = SubscriptionYear.numbers(on: day).filter { $0.value != 0 }
        #expect(numbers.filter { $0.value != 0 } == expected, "day \(day)")
    }
}
