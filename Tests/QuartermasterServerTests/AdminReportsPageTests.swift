import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Testing

@testable import QuartermasterServer

/// The charts of the last days.
@Suite struct AdminReportsPageTests {
    @Test func theChartsHaveTheNumbersOfTheReports() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try await world.newPlayer()
            let first = try await world.buy("hardwords", "non-consumable", ["price": 1_990, "currency": "EUR"])
            _ = try await world.post(first.signedTransaction, as: player)
            world.clock.advance(by: 86_400)
            for _ in 0..<2 {
                _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            }
            let refund = try await world.act("transactions/\(first.transactionID)/refund")
            _ = try await world.post(try #require(refund["signedTransaction"].text), as: player)
            let bob = try await world.visitor(.read)
            let html = try await bob.get("/admin/reports").html
            let (yesterday, today) = (World.start.rfc3339.prefix(10), world.clock.now.rfc3339.prefix(10))
            #expect(html.contains("3 in 30 days, most of them on \(today): 2."), "\(html)")
            #expect(html.contains("<title>\(yesterday): 1</title>") && html.contains("<title>\(today): 2</title>"))
            #expect(html.contains("1 in 30 days, most of them on \(today): 1.") && html.contains("1.99 EUR"))
            #expect(
                html.matches(of: #/<rect /#).count == 90 && html.matches(of: #/<svg [^>]*aria-labelledby/#).count == 3)
            #expect(html.matches(of: #/<details>/#).count == 3 && !html.contains("style="))
            #expect(try await bob.get("/admin/reports?environment=Sandbox").html.contains("0 in 30 days."))
            #expect(
                try await bob.get("/admin/reports?app=\(World.app)&environment=Production").html.contains(
                    "3 in 30 days"))
            #expect(try await bob.get("/admin/reports?app=x").status == 404)
            #expect(try await bob.get("/admin/reports?environment=x").status == 400)
            world.clock.advance(by: 29 * 86_400)
            let later = try await world.visitor(.read, name: "later")
            #expect(try await later.get("/admin/reports").html.contains("2 in 30 days"), "the first is too old")
        }
    }
}
