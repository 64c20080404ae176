@testable import AppStoreService
@testable import QuartermasterServer
import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// An account's page says for each purchase what became of it, not what its product is worth now.
@Suite struct PurchaseOutcomeTests {
    /// The rows of the table of purchases as texts, newest first.
    private func rows(_ world: World, of player: Player, count: Int = 1) async throws -> [String] {
        let visitor = try await world.visitor(.read, name: UUID().uuidString)
        let html = try await visitor.get("/admin/accounts/\(player.account)").html
        // The periods of subscriptions are in their cards.
        let sections = html.matches(of: /(?s)<section id="(?:subscriptions|purchases)">(.*?)<\/section>/)
        let rows = sections.map(\.output.1).flatMap { section in
            section.matches(of: /(?s)<tr [^>]*>(.*?)<\/tr>/).dropFirst().map { row in
                String(row.output.1).replacing(/<[^>]*>/, with: " ").unescaped.split(whereSeparator: \.isWhitespace)
                    .joined(separator: " ")
            }
        }
        try #require(rows.count == count, "\(rows)")
        return rows
    }

    private func words(_ days: Double) -> String { PageTime(World.start + days * 86_400, now: World.start).text }

    /// Month by month, until one cannot be paid: the earlier ones were paid for and used, and are still shown so.
    @Test func `A paid month is still shown as given after the subscription ended`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable", ["period": "P30D"])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            #expect(try await rows(world, of: player)[0].contains(" Given access until \(words(30)) "))
            for (month, act) in ["renew", "renew", "billing-retry"].enumerated() {
                world.clock.advance(by: 30 * 86_400)
                _ = try await world.act("subscriptions/\(bought.originalID)/\(act)")
                for reported in try await world.signedPayloads(ofDays: 100) {
                    #expect(try await world.receive(reported).status == 200)
                }
                let count = act == "renew" ? month + 2 : 3
                let rows = try await rows(world, of: player, count: count)
                let ended = rows.dropFirst(act == "renew" ? 1 : 0)
                for (place, row) in ended.reversed().enumerated() {
                    #expect(row.contains(" Ended given until \(words(30 * Double(place + 1)))"), "\(month): \(row)")
                }
                if act == "renew" {
                    let end = words(30 * Double(month + 2))
                    #expect(rows[0].contains(" Given access until \(end) "), "\(rows)")
                } else {
                    #expect(rows[0].contains("; the App Store cannot charge the customer"), "\(rows)")
                    #expect(rows.dropFirst().allSatisfy { !$0.contains("cannot charge") }, "\(rows)")
                }
                #expect(!rows.contains { $0.contains("Not given") }, "\(rows)")
            }
            _ = try await world.act("transactions/\(bought.transactionID)/refund")
            for reported in try await world.signedPayloads(ofDays: 100) { _ = try await world.receive(reported) }
            let refunded = try await rows(world, of: player, count: 3)
            #expect(refunded[2].contains(" Refunded ") && refunded[1].contains(" Ended given until"), "\(refunded)")
        }
    }

    /// After a transfer the credits are with the former owner: the new owner's page does not promise them.
    @Test func `Credits are shown at the account that got them`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, one, two) = (
                try await world.visitor(.write), try await world.newPlayer(), try await world.newPlayer()
            )
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: one).status == 200)
            #expect(try await rows(world, of: one)[0].contains(" Given credits: 10 hints "))
            let path = "/admin/purchases/Production/\(bought.originalID)/transfer?bundleID=\(World.app)"
            let answer = try await alice.submit("\(path)&to=\(two.account)", [("reason", "ticket 8")])
            #expect(answer.status == 303, "\(answer)")
            let (old, new) = (try await rows(world, of: one)[0], try await rows(world, of: two)[0])
            #expect(old.contains(" Transferred now of \(two.account) credits: 10 hints "), "\(old)")
            #expect(new.contains(" Given to another account its credits, 10 hints, went to \(one.account) "), "\(new)")
            let page = try await alice.get("/admin/accounts/\(two.account)").html
            #expect(page.contains("The player has no credits.") && !page.contains("credits: 10 hints"))
            let former = try await alice.get("/admin/accounts/\(one.account)").html
            #expect(former.contains("Purchase transferred to another account"), "the former owner's timeline")
        }
    }

    /// A consumable that was used up long ago was still given, and nothing is red.
    @Test func `A consumable is shown as given though it is used up`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try await world.newPlayer()
            for _ in 1...2 {
                let bought = try await world.buy("tenhints", "consumable")
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
                world.clock.advance(by: 400 * 86_400)
            }
            let rows = try await rows(world, of: player, count: 2)
            #expect(rows.allSatisfy { $0.contains(" Given credits: 10 hints ") }, "\(rows)")
            let later = try await world.visitor(.read)
            let html = try await later.get("/admin/accounts/\(player.account)").html
            #expect(html.contains(#"<span class="badge plain">Used up at once</span>"#), "\(html)")
            #expect(!html.contains(#"class="badge bad""#), "\(html)")
        }
    }

    /// A sandbox purchase gives nothing to an account that is no tester; a tester's balances are shown separately.
    @Test func `Sandbox purchases and balances are marked on the page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let place = "/admin/accounts/\(player.account)"
            let sandbox = try await world.buy("tenhints", "consumable", ["environment": "Sandbox"])
            #expect(try await world.post(sandbox.signedTransaction, as: player).status == 200)
            let none = try await rows(world, of: player)[0]
            #expect(
                none.contains(" Not given a sandbox purchase, and the app's sandbox admits nobody "), "\(none)")
            #expect(try await alice.submit("\(place)/add-tester", [("reason", "r")]).status == 303)
            for environment in ["Sandbox", "Production"] {
                let bought = try await world.buy("tenhints", "consumable", ["environment": .string(environment)])
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let html = try await alice.get(place).html
            let now = try #require(html.firstMatch(of: /Now: ([^<]*)\./)?.output.1)
            #expect(now.contains("10 hints (\(World.app), Production); "), "\(now)")
            #expect(now.contains("0 hints (\(World.app), Sandbox)"), "\(now)")
        }
    }

    /// Nobody got money back when Family Sharing ended: it is no refund, neither of the purchase nor in the account's
    /// share of refunds.
    @Test func `Family Sharing that ended is not shown as a refund`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try await world.newPlayer()
            let (words, own) = (
                try await world.buy("hardwords", "non-consumable"), try await world.buy("ioswords", "non-consumable")
            )
            let shared = try await world.act("transactions/\(words.transactionID)/share", ["customer": "bert"])
            let id = try #require(shared["transactionID"].text)
            #expect(try await world.post(try #require(shared["signedTransaction"].text), as: player).status == 200)
            #expect(try await rows(world, of: player)[0].contains(" Given access "))
            let revoked = try await world.act("transactions/\(id)/revoke")
            #expect(try await world.post(try #require(revoked["signedTransaction"].text), as: player).status == 200)
            let row = try await rows(world, of: player)[0]
            #expect(row.contains(" Ended Family Sharing ended, ") && !row.contains("efunded"), "\(row)")
            let refund = try await world.act("transactions/\(own.transactionID)/refund")
            #expect(try await world.post(try #require(refund["signedTransaction"].text), as: player).status == 200)
            let account = try #require(AccountID(text: player.account))
            let report = try await world.ledger.accountReport(
                of: account, after: nil, limit: 10, in: world.assembly.store.decisions.context)
            let body = AccountReportBody(try #require(report))
            #expect(body.refunds.words == "1 of 1 purchases")
            let text = body.text(for: TextOutput(isTerminal: true, hasColours: false))
            #expect(text.matches(of: /taken back by the App Store \w+ \d/).count == 1, "\(text)")
        }
    }

    /// Time without a renewal: the first month is over and the second is not, and together they are one span.
    @Test func `Non-renewing months without a gap are shown with one end`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let player = try await world.newPlayer()
            for days in [0.0, 40, 10] {
                world.clock.advance(by: days * 86_400)
                let bought = try await world.buy("nighttheme.month", "non-renewing")
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let rows = try await rows(world, of: player, count: 3)
            let ends = rows.map { $0.firstMatch(of: /(?:Given access|Ended given) until \w+ \d+ \w+ \d+/)?.output }
            #expect(ends.allSatisfy { $0 != nil }, "\(rows)")
            #expect(ends[2]?.hasPrefix("Ended") == true && ends[1]?.hasPrefix("Given") == true && ends[0] == ends[1])
        }
    }
}
