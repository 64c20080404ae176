@testable import AppStoreService
@testable import QuartermasterServer
import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import ServerCore
@testable import ServerHTTP

/// The cards of an account's subscriptions, with what the App Store tells the server.
@Suite struct SubscriptionCardTests {
    private static let club = "\(World.app).club.monthly"
    private static let month: [String: JSONValue] = [
        "period": "P30D", "price": 4_990, "currency": "USD", "renews": true,
    ]

    /// A subscriber whose page is looked at.
    private struct Subscriber {
        let world: World
        let player: Player
        let bought: Bought
        let visitor: PageVisitor

        /// Has the subscription go through an act, tells the server of it, and opens the page.
        func page(after act: String? = nil, _ body: JSONValue = [:]) async throws -> String {
            if let act {
                world.clock.advance(by: 60)
                _ = try await world.act("subscriptions/\(bought.originalID)/\(act)", body)
            }
            return try await told()
        }

        /// The page after the server got all notifications.
        func told() async throws -> String {
            for payload in try await world.signedPayloads() {
                #expect(try await world.receive(payload).status == 200)
            }
            return try await visitor.get("/admin/accounts/\(player.account)").html.unescaped
        }

        func time(in days: Double = 0) -> String {
            PageTime(world.clock.now + days * 86_400, now: world.clock.now).text
        }
    }

    private static func run(
        _ order: [String: JSONValue] = [:], role: AdminToken.Role = .write,
        _ test: @escaping @Sendable (Subscriber) async throws -> Void
    ) async throws {
        let named = Project.products.replacing(
            #""group": "club","#, with: #""group": "club", "name": {"de": "Verein", "en": "Hangman Club"},"#)
        try await World.run(products: named, environment: World.pagesOn, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable", month.merging(order) { $1 })
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            try await test(
                Subscriber(world: world, player: player, bought: bought, visitor: try await world.visitor(role)))
        }
    }

    private static func card(_ badge: String, _ tone: Tone, _ text: String) -> String {
        "<p><span class=\"badge \(tone.rawValue)\">\(badge)</span> \(text)</p>"
    }

    /// From the first payment to the end, as the customer decides.
    @Test func `The card says when it renews, who turned it off, and why it ended`() async throws {
        try await Self.run { subscriber in
            let end = subscriber.time(in: 30)
            let first = try await subscriber.page()
            #expect(first.contains("<h3>Hangman Club <code class=\"beneath\">\(Self.club)</code>"), "\(first)")
            #expect(first.contains(Self.card("Renews", .good, "Renews on \(end) for 4.99 USD.")), "\(first)")
            #expect(first.contains("<summary>1 period</summary>") && first.contains("/extend?bundleID="))
            let asked = try await subscriber.page(after: "price-increase", ["price": 5_990])
            #expect(asked.contains(Self.card("Price rise", .waiting, "Renews on \(end) for 5.99 USD.")), "\(asked)")
            #expect(asked.contains("The price rise to 5.99 USD waits for the customer's consent."))
            let off = try await subscriber.page(after: "cancel")
            let turnedOff = "The customer turned renewal off on \(subscriber.time())"
            #expect(off.contains(Self.card("Turned off", .waiting, "\(turnedOff). Access until \(end).")), "\(off)")
            #expect(!off.contains("waits for the customer's consent"))
            let on = try await subscriber.page(after: "reenable")
            #expect(!on.contains("turned renewal off") && on.contains("Renews on \(end)"), "\(on)")
            _ = try await subscriber.page(after: "cancel")
            let last = subscriber.time()
            let over = try await subscriber.page(after: "expire", ["reason": "voluntary"])
            let why = "Ended on \(subscriber.time()): the customer turned renewal off on \(last)."
            #expect(over.contains(Self.card("Ended", .plain, why)), "\(over)")
            #expect(!over.contains("/extend?") && !over.contains("/transfer?"), "nothing that could be done")
        }
    }

    /// From the first refusal of the customer's bank until the App Store gives up.
    @Test func `The card says that the card cannot be charged, and until when there is access`() async throws {
        try await Self.run { subscriber in
            let grace = try await subscriber.page(after: "grace", ["days": 16])
            let until = "Access until \(subscriber.time(in: 16)), the end of the grace period."
            #expect(grace.contains("The App Store cannot charge the card. \(until)"), "\(grace)")
            #expect(grace.contains("/transfer?") && !grace.contains("/extend?"), "only what is paid is extended")
            let end = subscriber.time()
            let retry = try await subscriber.page(after: "grace-period-expired")
            #expect(retry.contains("keeps trying. No access since \(end)."), "\(retry)")
            let over = try await subscriber.page(after: "expire", ["reason": "billing-retry"])
            #expect(over.contains("Ended on \(end): the App Store could not charge the card."), "\(over)")
        }
    }

    @Test func `A price rise without consent ends a subscription, and the card says so`() async throws {
        try await Self.run { subscriber in
            let over = try await subscriber.page(after: "expire", ["reason": "price-increase"])
            #expect(over.contains("the customer did not agree to the price rise."), "\(over)")
        }
    }

    /// Three periods are one card with one link for each act.
    @Test func `A subscription is one card, whatever its number of periods`() async throws {
        try await Self.run { subscriber in
            for _ in 1...2 { _ = try await subscriber.page(after: "renew") }
            let html = try await subscriber.page()
            #expect(html.matches(of: /<li><h3>/).count == 1 && html.contains("<summary>3 periods</summary>"), "\(html)")
            #expect(html.matches(of: /\/extend\?/).count == 1 && html.matches(of: /\/transfer\?/).count == 1)
            #expect(html.matches(of: /4\.99 USD/).count == 4, "each period's price, and that of the next")
            #expect(html.contains("<h2>Other purchases</h2>"))
        }
    }

    @Test func `A refunded subscription is one, and nothing is offered for it`() async throws {
        try await Self.run { subscriber in
            subscriber.world.clock.advance(by: 60)
            _ = try await subscriber.world.act("transactions/\(subscriber.bought.transactionID)/refund")
            let html = try await subscriber.told()
            let text = "Refunded by the App Store on \(subscriber.time())."
            #expect(html.contains(Self.card("Refunded", .bad, text)), "\(html)")
            #expect(!html.contains("/extend?") && !html.contains("/transfer?"))
        }
    }

    @Test func `A free trial is called one, and is not extended`() async throws {
        let trial: JSONValue = ["type": 1, "discountType": "FREE_TRIAL", "period": "P7D"]
        try await Self.run(["offer": trial]) { subscriber in
            let html = try await subscriber.page()
            let text = "Free trial until \(subscriber.time(in: 7)), then renews for 4.99 USD."
            #expect(html.contains(Self.card("Free trial", .good, text)), "\(html)")
            #expect(html.contains("free trial</small>") && !html.contains("0.00 USD"), "the period's price")
            #expect(html.contains("/transfer?") && !html.contains("/extend?"))
        }
    }

    @Test func `Without a word of the App Store the card says that`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable", ["period": "P30D"])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let html = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(html.contains("The App Store has not said whether it renews."), "\(html)")
            #expect(html.contains("<h3>\(Self.club) <small"), "without a name it is its ID")
            #expect(!html.contains("/admin/purchases/"), "an act for somebody who may look")
        }
    }

    @Test func `The card of a transferred subscription leads to its owner`() async throws {
        try await Self.run { subscriber in
            let (world, other) = (subscriber.world, try await subscriber.world.newPlayer())
            let admin = try await world.newAdmin(.write, name: "mover")
            #expect(try await world.move(subscriber.bought.originalID, to: other, as: admin).status == 200)
            let old = try await subscriber.page()
            #expect(old.contains(Self.card("Transferred", .waiting, "It belongs to another account now.")), "\(old)")
            #expect(old.contains("/admin/accounts/\(other.account)\">The account that has it"))
            #expect(old.contains("/transfer/undo?") && !old.contains("/extend?"))
            let new = try await subscriber.visitor.get("/admin/accounts/\(other.account)").html
            #expect(new.contains(">Renews</span>") && new.contains("/extend?"), "\(new)")
        }
    }

    /// A subscription whose last payment is older than all purchases of the page.
    @Test func `A running subscription has a card although its periods are on an older page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let maximum = AccountReport.maximumEntries
            let app = BundleID(stored: World.app)
            var transactions = (1...maximum).map { number in
                let id = TransactionID(stored: "\(1_000 + number)")
                return Transaction(
                    id: id, originalID: id, app: app, environment: .production,
                    productID: ProductID(stored: "\(World.app).tenhints"), productType: .consumable,
                    purchaseDate: World.start - 1_000 + Double(number), signedDate: World.start, isSigned: true)
            }
            let id = TransactionID(stored: "1000")
            transactions.append(
                Transaction(
                    id: id, originalID: id, app: app, environment: .production, productID: ProductID(stored: Self.club),
                    productType: .autoRenewable, purchaseDate: World.start - 5_000,
                    expirationDate: World.start + 86_400, signedDate: World.start, isSigned: true))
            let receipt = Receipt(
                id: "r_x", account: try #require(AccountID(text: player.account)), kind: .signedTransaction,
                content: "x", digest: Data([1]))
            _ = try await world.ledger.record(
                receipt, .success(VerifiedReceipt(transactions: transactions)),
                in: world.assembly.store.decisions.context)
            let html = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(html.contains("<h3>\(Self.club) <small"), "\(html)")
            #expect(html.contains("Its periods are among the older purchases."))
            let link = try #require(html.firstMatch(of: /href="([^"]*)">Older purchases/)?.output.1)
            #expect(try await alice.get(String(link).unescaped).html.contains(">1000</code>"))
        }
    }
}
