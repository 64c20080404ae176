import Foundation
import FreeSubscription
import HTTPTypes
import InAppPurchase
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A product type that the server does not have itself: the free subscription of the guide,
/// `docs/develop/adding-a-product-type.md`.
@Suite struct OwnTypeTests {
    static let handlers = Server.standardHandlers + [FreeSubscription.self]

    static let products = SampleCatalog.text(
        #"{"id": "com.example.hangman.daily", "type": "free-subscription", "bundles": ["hard-words"]}"#,
        """
        {"id": "com.example.hangman.sunday", "type": "free-subscription", "opens": "2027-01-03T00:00:00Z",
         "bundles": ["night-theme"], "credits": {"stamps": 2}}
        """)

    /// The App Store has no such type: there the product has one of its four, whichever the owner chose.
    @Test(arguments: ["consumable", "non-consumable", "non-renewing", "auto-renewable"])
    func `A product of an own type is bought, and restored on a second device`(storeType: String) async throws {
        try await World.run(products: Self.products, handlers: Self.handlers) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("daily", storeType)
            let first = try await world.post(bought.signedTransaction, as: player).json
            #expect(first["transactions"][0]["outcome"] == "delivered" && first["finish"] == true)
            for receipt in [bought.appReceipt, bought.transactionReceipt, bought.signedTransaction] {
                let again = try await world.post(receipt, as: player).json
                #expect(again["transactions"][0]["outcome"] == "alreadyDelivered", "\(again)")
            }
            // Long after any period of the store's.
            world.clock.advance(by: 10 * 365 * 86_400)
            let device = try await world.secondDevice(of: player)
            let restored = try await world.call(.post, "/v1/restore", [:], as: device).json
            let entitlement = restored["entitlements"][0]
            #expect(entitlement["product"] == "com.example.hangman.daily" && entitlement["environment"] == "Production")
            #expect(entitlement["type"] == "free-subscription" && entitlement["access"] == "granted")
            #expect(entitlement["bundles"] == ["hard-words"] && entitlement["until"] == .null)
            // The state is the store's, which has it as one of its own types.
            #expect((entitlement["subscription"] == .null) == (storeType != "auto-renewable"))
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: device).status == 200)
        }
    }

    @Test func `An own type denies access with a reason of its own until its opening`() async throws {
        try await World.run(products: Self.products, handlers: Self.handlers) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("sunday", "non-consumable")
            let early = try await world.post(bought.signedTransaction, as: player).json
            #expect(early["balances"] == ["stamps": 2])
            #expect(try await world.entitlement(to: "sunday", of: player)["reason"] == "notOpenYet")
            let closed = try await world.call(.get, "/v1/bundles/night-theme", as: player)
            #expect(closed.status == 403 && closed.json["reason"] == "notOpenYet")
            world.clock.advance(
                by: try #require(Date(rfc3339: "2027-01-03T00:00:00Z")).timeIntervalSince(world.clock.now))
            #expect(try await world.entitlement(to: "sunday", of: player)["access"] == "granted")
            #expect(try await world.call(.get, "/v1/bundles/night-theme", as: player).status == 200)
            let taken = try await world.act("transactions/\(bought.transactionID)/refund")["signedTransaction"].text
            _ = try await world.post(try #require(taken), as: player)
            #expect(try await world.entitlement(to: "sunday", of: player)["reason"] == "revoked")
            #expect(try await world.entitlements(of: player)["balances"] == ["stamps": 0])
        }
    }

    /// The terms are those of the day it was subscribed, even if the opening is postponed later.
    @Test func `A later opening is for later subscribers`() async throws {
        try await World.run(products: Self.products, handlers: Self.handlers) { world in
            var seen = CatalogWatcher.Seen()
            let (early, late) = (try await world.newPlayer(), try await world.newPlayer())
            _ = try await world.post(world.buy("daily", "non-consumable").signedTransaction, as: early)
            try world.write(
                SampleCatalog.text(
                    """
                    {"id": "com.example.hangman.daily", "type": "free-subscription", "opens": "2027-01-03T00:00:00Z"}
                    """))
            try await world.lookAtCatalog(&seen)
            _ = try await world.post(world.buy("daily", "non-consumable").signedTransaction, as: late)
            #expect(try await world.entitlement(to: "daily", of: early)["access"] == "granted")
            #expect(try await world.entitlement(to: "daily", of: late)["reason"] == "notOpenYet")
        }
    }

    /// A ledger whose purchases nobody can judge is not opened, so that they do not look worthless.
    @Test func `Without the handler of an own type the ledger does not open`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let ledger = try SQLiteLedger.open(path: path, handlers: Self.handlers)
        try await World.run(products: Self.products, ledger: ledger, handlers: Self.handlers) { world in
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("daily", "non-consumable").signedTransaction, as: player)
        }
        let failure = #expect(throws: CommandError.self) {
            try LedgerOpener.open(path, handlers: Server.standardHandlers)
        }
        let line = failure?.description ?? ""
        #expect(line.contains("no handler of this server reads the terms of a purchase"), "\(line)")
        #expect(line.contains("free-subscription") && !line.contains("\n"), "\(line)")
        #expect(throws: Never.self) { try LedgerOpener.open(path, handlers: Self.handlers) }
    }
}
