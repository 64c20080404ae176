import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import NIOCore
import PostgresSupport
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Receipts of a store that is not Apple's, through the routes that an app calls. If these tests needed more than
/// ``BazaarStore``, that would be Apple's in shared code.
@Suite struct SecondStoreTests {
    private static func run(
        onPostgres isOnPostgres: Bool = false, _ test: @escaping @Sendable (BazaarWorld) async throws -> Void
    ) async throws {
        let ledger =
            try isOnPostgres
            ? PostgresLedger.open(
                url: PostgresServer.shared.get().newLedger(), handlers: Server.standardHandlers, limits: .patient) : nil
        try await World.run(ledger: ledger, environment: World.pagesOn) { world in try await world.withBazaar(test) }
    }

    @Test(arguments: [false, true])
    func `A receipt of a second store is delivered once`(isOnPostgres: Bool) async throws {
        try await Self.run(onPostgres: isOnPostgres) { bazaar in
            let (world, player) = (bazaar.world, try await bazaar.world.newPlayer())
            let hints = try bazaar.store.signed(bazaar.purchase("bzQ7k", of: "tenhints", .consumable))
            let words = try bazaar.store.signed(bazaar.purchase("bz00417", of: "hardwords", .nonConsumable))
            let answer = try await world.post(hints, as: player)
            #expect(answer.status == 200 && answer.json["status"] == "verified", "\(answer)")
            #expect(answer.json["transactions"][0]["id"] == "bzQ7k")
            #expect(answer.json["transactions"][0]["outcome"] == "delivered")
            #expect(try await world.post(hints, as: player).json["duplicate"] == true)
            #expect(try await world.post(words, as: player).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            #expect(try await world.post(hints, as: player).json["balances"]["hints"] == 10)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 200)
            let other = try await world.newPlayer()
            let conflict = try await world.post(words, as: other)
            #expect(conflict.status == 409 && conflict.json["remedy"] == "freshReceipt", "\(conflict)")
        }
    }

    /// Codes differ by the case of their letters: a store's IDs are compared byte by byte.
    @Test func `Codes of a second store differ by case`() async throws {
        try await Self.run { bazaar in
            let (world, player) = (bazaar.world, try await bazaar.world.newPlayer())
            for code in ["bzAa", "bzaA", "bzAA"] {
                let hints = try bazaar.store.signed(bazaar.purchase(code, of: "tenhints", .consumable))
                #expect(try await world.post(hints, as: player).json["transactions"][0]["outcome"] == "delivered")
            }
            let again = try bazaar.store.signed(bazaar.purchase("bzAa", of: "tenhints", .consumable))
            #expect(try await world.post(again, as: player).json["balances"]["hints"] == 30)
        }
    }

    @Test func `A receipt that the second store did not sign is rejected`() async throws {
        try await Self.run { bazaar in
            let (world, player) = (bazaar.world, try await bazaar.world.newPlayer())
            let hints = bazaar.purchase("bzQ7k", of: "tenhints", .consumable)
            let forged = try BazaarStore().signed(hints)
            let foreign = try await world.buy("tenhints", "consumable")
            var elsewhere = hints
            elsewhere.game = "com.example.chess"
            for (receipt, reason) in [
                (forged, "signature"), ("bazaar1.e30", "malformed"), ("20000417", "malformed"),
                (foreign.signedTransaction, "malformed"), (try bazaar.store.signed(elsewhere), "bundleID"),
                ("bzNobody", "notFound"),
            ] {
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == 422 && answer.json["reason"].text == reason, "\(reason): \(answer)")
            }
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
        }
    }

    /// A code alone proves nothing: it waits while the store does not answer, and the store names the buyer.
    @Test func `A code waits until the second store answers`() async throws {
        try await Self.run { bazaar in
            let (world, player) = (bazaar.world, try await bazaar.world.newPlayer())
            var words = bazaar.purchase("bzW0rds", of: "hardwords", .nonConsumable)
            words.buyer = UUID(uuidString: player.account)
            bazaar.store.book.update { [words] in
                $0.isOpen = false
                $0.purchases[words.code] = words
            }
            let answer = try await world.post("bzW0rds", as: player)
            #expect(answer.status == 202, "\(answer)")
            let location = try #require(answer.headers[.location])
            bazaar.store.book.update { $0.isOpen = true }
            bazaar.store.outages.recordEnd()
            await bazaar.worker.askAboutDueReceipts()
            let settled = try await world.call(.get, location, as: player).json
            #expect(settled["status"] == "verified" && settled["transactions"][0]["id"] == "bzW0rds", "\(settled)")
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }

    @Test func `A notification of the second store revokes a purchase`() async throws {
        try await Self.run { bazaar in
            let (world, player) = (bazaar.world, try await bazaar.world.newPlayer())
            let words = bazaar.purchase("bz00417", of: "hardwords", .nonConsumable)
            _ = try await world.post(try bazaar.store.signed(words), as: player)
            world.clock.advance(by: 60)
            let refund = try bazaar.store.signed(words.takenBack(on: world.clock.now))
            let forged = try BazaarStore().signed(words.takenBack(on: world.clock.now))
            let path = NotificationRoutes.path(of: bazaar.store)
            #expect(try await world.send(.post, path, ByteBuffer(string: forged)).status >= 400)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            #expect(try await world.send(.post, path, ByteBuffer(string: refund)).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "denied")
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 403)
        }
    }

    /// An order is asked about as it was typed: only the App Store writes all of its orders in capitals.
    @Test func `Orders and codes of the second store are found`() async throws {
        try await Self.run { bazaar in
            let (world, admin) = (bazaar.world, try await bazaar.world.newAdmin(.read))
            let player = try await world.newPlayer()
            let words = bazaar.purchase("bz00417", of: "hardwords", .nonConsumable, order: "Nr7aX")
            bazaar.store.book.update { $0.purchases[words.code] = words }
            let asked = try await world.call(.get, "/admin/v1/accounts?order=Nr7aX", as: admin).json
            #expect(asked["unclaimed"][0]["originalID"] == "bz00417", "\(asked)")
            #expect(bazaar.store.book.update { $0.asked } == ["Nr7aX"])
            _ = try await world.post(try bazaar.store.signed(words), as: player)
            for query in ["order=Nr7aX", "transaction=bz00417", "originalTransaction=bz00417"] {
                let found = try await world.call(.get, "/admin/v1/accounts?\(query)", as: admin).json
                #expect(found["accounts"][0]["account"].text == player.account, "\(query): \(found)")
            }
            let alice = try await world.visitor(.read, name: "bob")
            for text in ["bz00417", "Nr7aX"] {
                let page = try await alice.get("/admin/accounts?q=\(text)")
                #expect(page.headers[.location] == "/admin/accounts/\(player.account)", "\(text): \(page)")
            }
        }
    }
}
