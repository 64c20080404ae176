import Foundation
import HTTPTypes
import InAppPurchase
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Synchronization
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Receipts that the store cannot judge now give access meanwhile, if the operator says so.
@Suite struct ProvisionalTests {
    private static let hours = ["QUARTERMASTER_PROVISIONAL_HOURS": "6"]

    /// A player who sent a receipt of hard words while the store is away.
    private static func outage(
        _ environment: [String: String] = hours, on ledger: SQLLedger? = nil, fault: JSONValue = ["status": 21005],
        _ test: @escaping @Sendable (World, Player, Answer) async throws -> Void
    ) async throws {
        try await World.run(ledger: ledger, environment: environment) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", fault)
            try await test(world, player, world.post(bought.appReceipt, as: player))
        }
    }

    @Test(arguments: [["status": 21005], ["http": 503], ["drop": true]] as [JSONValue])
    func `Provisional access lasts until the store verifies the receipt`(fault: JSONValue) async throws {
        try await Self.outage(fault: fault) { world, player, answer in
            let end = World.start.addingTimeInterval(6 * 3_600).rfc3339
            #expect(answer.status == 202 && answer.json["status"] == "pending" && answer.json["finish"] == false)
            #expect(answer.json["provisionalUntil"].text == end, "\(answer)")
            let open = try await world.entitlement(to: "hardwords", of: player)
            #expect(open["access"] == "granted" && open["until"].text == end)
            let bundle = try await world.call(.get, "/v1/bundles/hard-words", as: player)
            #expect(bundle.status == 200)

            try await world.endFaults()
            world.clock.advance(by: 61)
            await world.assembly.worker.askAboutDueReceipts()
            let location = try #require(answer.headers[.location])
            let settled = try await world.call(.get, location, as: player).json
            #expect(settled["status"] == "verified" && settled["transactions"][0]["outcome"] == "delivered")
            let entitlement = try await world.entitlement(to: "hardwords", of: player)
            #expect(entitlement["access"] == "granted" && entitlement["until"] == .null)
        }
    }

    @Test(arguments: [21003, 21010])
    func `Provisional access ends when the store rejects the receipt`(status: Int) async throws {
        try await Self.outage { world, player, answer in
            try await world.endFaults()
            _ = try await world.act("faults", ["status": .integer(status)])
            world.clock.advance(by: 61)
            await world.assembly.worker.askAboutDueReceipts()
            let location = try #require(answer.headers[.location])
            let settled = try await world.call(.get, location, as: player).json
            #expect(settled["status"] == "rejected", "\(settled)")
            let entitlements = try await world.entitlements(of: player)
            #expect(entitlements["entitlements"] == [])
        }
    }

    @Test func `Provisional access ends at its time`() async throws {
        try await Self.outage { world, player, answer in
            world.clock.advance(by: 6 * 3_600 - 1)
            let before = try await world.entitlement(to: "hardwords", of: player)
            #expect(before["access"] == "granted")
            world.clock.advance(by: 1)
            let after = try await world.entitlements(of: player)
            #expect(after["entitlements"] == [])
            let location = try #require(answer.headers[.location])
            let receipt = try await world.call(.get, location, as: player).json
            #expect(receipt["status"] == "pending")
        }
    }

    @Test func `By default there is no provisional access`() async throws {
        try await Self.outage([:]) { world, player, answer in
            #expect(answer.status == 202 && answer.json["provisionalUntil"] == .null)
            let entitlements = try await world.entitlements(of: player)
            #expect(entitlements["entitlements"] == [])
        }
    }

    /// Neither credits, nor what gives access to bundles for a time only, nor what nobody vouches for.
    @Test func `Consumables and transaction receipts give no provisional access`() async throws {
        let hints = #""credits": {"hints": 10}"#
        let products = Project.products.replacing(hints, with: hints + #", "bundles": ["hard-words"]"#)
        try await World.run(products: products, environment: Self.hours) { world in
            let player = try await world.newPlayer()
            let hints = try await world.buy("tenhints", "consumable")
            let words = try await world.buy("hardwords", "non-consumable", ["customer": "another"])
            _ = try await world.act("faults", ["status": 21005])
            for receipt in [hints.appReceipt, words.transactionReceipt] {
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == 202 && answer.json["provisionalUntil"] == .null, "\(answer)")
            }
            let held = try await world.entitlements(of: player)
            #expect(held["entitlements"] == [] && held["balances"] == [:])
        }
    }

    /// Access from when the setting was on, after a restart without it.
    @Test func `Provisional access ends when the setting is switched off`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let player = try await Self.outagePlayer(on: ledger)
        for (environment, status) in [(Self.hours, 200), ([:], 403)] {
            try await World.run(ledger: ledger, environment: environment) { world in
                let bundle = try await world.call(.get, "/v1/bundles/hard-words", as: player)
                #expect(bundle.status == status, "\(bundle)")
            }
        }
    }

    private static func outagePlayer(on ledger: SQLLedger) async throws -> Player {
        let players = Mutex<Player?>(nil)
        try await outage(on: ledger) { _, player, answer in
            #expect(answer.status == 202)
            players.withLock { $0 = player }
        }
        return try #require(players.withLock { $0 })
    }

    @Test func `Another account's purchase gives no provisional access`() async throws {
        try await World.run(environment: Self.hours) { world in
            let (owner, player) = (try await world.newPlayer(), try await world.newPlayer())
            let owned = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(owned.signedTransaction, as: owner).status == 200)
            _ = try await world.act("faults", ["status": 21005])
            let answer = try await world.post(owned.appReceipt, as: player)
            #expect(answer.status == 202 && answer.json["provisionalUntil"] == .null, "\(answer)")
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
        }
    }

    /// It is signed, and only its refund might be missing.
    @Test(arguments: [false, true])
    func `An old signed transaction gives provisional access until it is checked`(isRefunded: Bool) async throws {
        try await World.run(environment: Self.hours, hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: 86_401)
            if isRefunded { _ = try await world.act("transactions/\(bought.transactionID)/refund") }
            _ = try await world.act("faults", ["http": 503])
            let end = (world.clock.now + 6 * 3_600).rfc3339
            let answer = try await world.post(bought.signedTransaction, as: player)
            #expect(answer.status == 202 && answer.json["provisionalUntil"].text == end, "\(answer)")
            #expect(try await world.entitlement(to: "hardwords", of: player)["until"].text == end)

            try await world.endFaults()
            world.clock.advance(by: 61)
            await world.assembly.worker.askAboutDueReceipts()
            let entitlement = try await world.entitlement(to: "hardwords", of: player)
            #expect(entitlement["access"].text == (isRefunded ? "denied" : "granted"))
            #expect(entitlement["until"] == .null)
        }
    }

    @Test func `A restore says for each receipt until when access is provisional`() async throws {
        try await World.run(environment: Self.hours) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable", ["customer": "one"])
            let hints = try await world.buy("tenhints", "consumable", ["customer": "two"])
            _ = try await world.act("faults", ["status": 21005])
            let receipts: [JSONValue] = [.string(words.appReceipt), .string(hints.appReceipt)]
            let answer = try await world.call(.post, "/v1/restore", ["receipts": .array(receipts)], as: player).json
            let end = World.start.addingTimeInterval(6 * 3_600).rfc3339
            #expect(answer["receipts"].array.map { $0["status"] } == ["pending", "pending"])
            #expect(answer["receipts"].array.map { $0["provisionalUntil"] } == [.string(end), .null])
            #expect(answer["entitlements"].array.map { $0["until"] } == [.string(end)])
        }
    }
}
