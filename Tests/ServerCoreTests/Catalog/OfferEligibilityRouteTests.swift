import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerHTTP

/// Offers are the customer's: another account of the same customer gets none that was used, and none is signed that the
/// catalog does not name.
@Suite struct OfferEligibilityRouteTests {
    private static let trial: [String: JSONValue] = ["offerType": 1, "offerDiscountType": "FREE_TRIAL"]

    /// A world whose club names three offers, with the app's key.
    private static func run(
        onPostgres: Bool = false, environment: [String: String] = [:],
        _ test: @escaping @Sendable (World, Apple) async throws -> Void
    ) async throws {
        let ledger =
            try onPostgres
            ? PostgresLedger.open(
                url: PostgresServer.shared.get().newLedger(), handlers: Server.standardHandlers, limits: .patient) : nil
        let apple = Apple(authority: try SigningAuthority())
        try await World.run(
            products: World.withOffers, ledger: ledger, environment: environment, roots: [apple.authority.root],
            hasServerKey: true
        ) { try await test($0, apple) }
    }

    /// Signs the app transactions of customers.
    struct Apple {
        let authority: SigningAuthority

        func appTransaction(of customer: String, at date: Date = World.start) throws -> String {
            try authority.jws(
                .object([
                    "receiptType": "Production", "appAppleId": .integer(World.appAppleID),
                    "bundleId": .string(World.app), "originalPurchaseDate": .integer(World.start.milliseconds),
                    "originalApplicationVersion": "1.0", "receiptCreationDate": .integer(date.milliseconds),
                    "appTransactionId": .string(customer),
                ]))
        }
    }

    @Test(arguments: [false, true])
    func `A trial of one account is used up for every account of the customer`(onPostgres: Bool) async throws {
        try await Self.run(onPostgres: onPostgres) { world, apple in
            let (first, second) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable", Self.trial)
            #expect(try await world.post(bought.signedTransaction, as: first).status == 200)
            let customer = try world.customer(of: bought)
            _ = try await world.act("faults", ["http": 503])
            #expect(try await world.introductory(second).json["code"] == "not_eligible")
            let shown = try await world.post(apple.appTransaction(of: customer), as: second)
            #expect(shown.json["status"] == "verified", "\(shown)")
            let used = try await world.introductory(second)
            #expect(used.status == 403 && used.json["code"] == "not_eligible", "\(used)")
            // The device has another customer now: the newest of what it showed counts.
            let newer = try apple.appTransaction(of: "700000000000000007", at: world.clock.now + 1)
            world.clock.advance(by: 2)
            #expect(try await world.post(newer, as: second).json["status"] == "verified")
            let signed = try await world.introductory(second)
            #expect(signed.status == 200, "\(signed)")
            let claims = try World.claims(of: try #require(signed.json["signature"].text))
            #expect(claims["transactionId"] == "700000000000000007")
        }
    }

    /// Another account shows a transaction, and the purchase goes to it: the former owner's trial stays the customer's.
    @Test(arguments: [false, true])
    func `A trial stays used when the subscription goes to another account`(onPostgres: Bool) async throws {
        try await Self.run(onPostgres: onPostgres) { world, apple in
            let (first, second) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable", Self.trial)
            #expect(try await world.post(bought.signedTransaction, as: first).status == 200)
            world.clock.advance(by: 60)
            let renewed = try await world.act("subscriptions/\(bought.originalID)/renew")
            let fresh = try #require(renewed["signedTransaction"].text)
            let body: JSONValue = ["receipt": .string(fresh), "mayTransfer": true]
            let moved = try await world.call(.post, "/v1/receipts", body, as: second)
            #expect(moved.status == 200, "\(moved)")
            _ = try await world.act("faults", ["http": 503])
            let customer = try world.customer(of: bought)
            _ = try await world.post(apple.appTransaction(of: customer), as: first)
            for player in [first, second] {
                #expect(try await world.introductory(player).json["code"] == "not_eligible")
            }
        }
    }

    @Test func `A trial that only the store knows is used up`() async throws {
        try await Self.run { world, apple in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable", Self.trial)
            let shown = try apple.appTransaction(of: try world.customer(of: bought))
            #expect(try await world.post(shown, as: player).json["status"] == "verified")
            #expect(try await world.introductory(player).json["code"] == "not_eligible")
            _ = try await world.act("subscriptions/\(bought.originalID)/renew")
            #expect(try await world.introductory(player).json["code"] == "not_eligible", "its beginning is not known")
            _ = try await world.act("faults", ["http": 503])
            let decided = try await world.introductory(player)
            #expect(decided.status == 200, "the ledger decides: \(decided)")
        }
    }

    @Test func `A subscription at the usual price leaves the introductory offer`() async throws {
        try await Self.run { world, _ in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            _ = try await world.act("subscriptions/\(bought.originalID)/renew")
            let signed = try await world.introductory(player)
            #expect(signed.status == 200, "\(signed)")
        }
    }

    @Test(arguments: [false, true])
    func `The customer of signed data counts for thirty days`(onPostgres: Bool) async throws {
        try await Self.run(onPostgres: onPostgres) { world, apple in
            let (player, buyer) = (try await world.newPlayer(), try await world.newPlayer())
            let shown = try apple.appTransaction(of: "700000000000000009")
            let hints = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(shown, as: player).json["status"] == "verified")
            #expect(try await world.post(hints.signedTransaction, as: buyer).status == 200)
            world.clock.advance(by: 30 * 86_400)
            #expect(try await world.introductory(player).status == 200)
            #expect(try await world.introductory(buyer).status == 200)
            world.clock.advance(by: 1)
            #expect(try await world.introductory(player).json["code"] == "not_eligible")
            #expect(try await world.introductory(buyer).json["code"] == "not_eligible")
            #expect(try await world.post(shown, as: player).json["status"] == "verified")
            #expect(try await world.introductory(player).status == 200, "it is shown again")
        }
    }

    @Test func `A trial of the family does not use up the member's own`() async throws {
        try await Self.run { world, _ in
            let member = try await world.newPlayer()
            let shared = try await world.buy(
                "club.monthly", "auto-renewable", Self.trial.merging(["ownershipType": "FAMILY_SHARED"]) { $1 })
            #expect(try await world.post(shared.signedTransaction, as: member).status == 200)
            let signed = try await world.introductory(member)
            #expect(signed.status == 200, "\(signed)")
        }
    }

    @Test func `No offer is signed that the product does not name`() async throws {
        try await Self.run { world, _ in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            #expect(try await world.promotional("any", player).status == 200)
            for id in ["o", "any\u{0}", "\u{0}", "Any", " any", String(repeating: "o", count: 300)] {
                let answer = try await world.promotional(id, player)
                #expect(answer.status == 403 && answer.json["code"] == "unknown_offer", "\(id.debugDescription)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `An offer is for the subscribers that the catalog says`(onPostgres: Bool) async throws {
        try await Self.run(onPostgres: onPostgres) { world, _ in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            func codes() async throws -> [JSONValue] {
                var codes: [JSONValue] = []
                for id in ["lapsed", "active", "any"] {
                    codes.append(try await world.promotional(id, player).json["code"])
                }
                return codes
            }
            #expect(try await codes() == ["not_eligible", .null, .null])
            world.clock.advance(by: 90 * 86_400)
            #expect(try await codes() == [.null, "not_eligible", .null])
        }
    }

    /// The signature alone uses nothing up; the purchase does, for every account of the customer.
    @Test(arguments: [false, true])
    func `An offer for once is signed until it was used`(onPostgres: Bool) async throws {
        try await Self.run(onPostgres: onPostgres) { world, _ in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            for _ in 0..<2 { #expect(try await world.promotional("once", player).status == 200) }
            // Another account of the same customer subscribes with the offer.
            let offer: [String: JSONValue] = ["offerType": 2, "offerIdentifier": "once"]
            let used = try await world.buy("club.monthly", "auto-renewable", offer)
            #expect(try await world.post(used.signedTransaction, as: other).status == 200)
            for one in [player, other] {
                let again = try await world.promotional("once", one)
                #expect(again.status == 403 && again.json["code"] == "not_eligible", "\(again)")
                #expect(try await world.promotional("any", one).status == 200)
            }
        }
    }
}

extension World {
    /// The project's own catalog, whose club names offers.
    static var withOffers: String {
        let offers = """
            {"id": "back"}, {"id": "any", "for": "any"}, {"id": "lapsed", "for": "lapsed"},
            {"id": "active", "for": "active"}, {"id": "once", "once": true}
            """
        return Project.products.replacing(#"{"id": "welcome-back"}"#, with: offers)
    }

    /// The customer who bought, by the ID of the app transaction.
    fileprivate func customer(of bought: Bought) throws -> String {
        try #require(World.claims(of: bought.signedTransaction)["appTransactionId"].text)
    }

    fileprivate func introductory(_ player: Player) async throws -> Answer {
        try await signature(["kind": "introductoryEligibility"], player)
    }

    fileprivate func promotional(_ offer: String, _ player: Player) async throws -> Answer {
        try await signature(["kind": "promotional", "offer": .string(offer)], player)
    }

    private func signature(_ members: [String: JSONValue], _ player: Player) async throws -> Answer {
        let product: [String: JSONValue] = ["product": .string("\(World.app).club.monthly")]
        let path = "/v1/apps/\(World.app)/offer-signatures"
        return try await call(.post, path, .object(product.merging(members) { $1 }), as: player)
    }
}
