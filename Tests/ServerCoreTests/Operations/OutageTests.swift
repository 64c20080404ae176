import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The store is away for three days. Nothing is lost, nobody gets anything for nothing, and nobody loses what they
/// have.
@Suite struct OutageTests {
    private static let duration: TimeInterval = 72 * 3_600

    /// Every trouble once, in some order; under each, players act and the worker runs.
    @Test(arguments: [1, 2] as [UInt64])
    func `After an outage of three days everything is settled`(seed: UInt64) async throws {
        try await World.run(hasServerKey: true) { world in
            var shop = try await TroubledShop(world, SeededGenerator(seed: seed))
            var maximumWaiting = 0
            for trouble in Trouble.all.shuffled(using: &shop.generator) {
                try await world.begin(trouble)
                try await shop.act()
                try await shop.letTimePass(Self.duration / Double(Trouble.all.count))
                try await shop.check()
                maximumWaiting = max(maximumWaiting, shop.waiting.count)
            }
            #expect(maximumWaiting > 5)
            try await world.endFaults()
            try await shop.letTheStoreRecover()
            try await shop.check()
            #expect(shop.waiting.isEmpty && shop.refused == shop.forged)
            let found = try await world.assembly.store.reconciler.reconcile()
            #expect(found.failures == 0 && found.notifications > 0, "\(found)")
            try await shop.checkAgainstTheStore()
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    /// This many calls are answered with trouble, and the next ones normally: none of the receipts may get so far.
    @Test(arguments: [["http": 503], ["status": 21005], ["garbage": true], ["drop": true]] as [[String: JSONValue]])
    func `The store is asked rarely while it is away`(trouble: [String: JSONValue]) async throws {
        try await World.run(hasServerKey: true) { world in
            let rounds = 20
            // Those that open the breaker, and one probe for each round.
            let fault = trouble.merging(["path": "/verifyReceipt", "count": .integer(5 + rounds + 1)]) { $1 }
            let players = (try await world.newPlayer(), try await world.newPlayer())
            let named = try await world.buy(
                "hardwords", "non-consumable", ["appAccountToken": .string(players.0.account)])
            _ = try await world.act("faults", .object(fault))
            for player in [players.0, players.1] {
                for _ in 0..<15 {
                    let bought = try await world.buy("tenhints", "consumable")
                    #expect(try await world.post(bought.transactionReceipt, as: player).status == 202)
                }
            }
            for _ in 0..<rounds {
                world.clock.advance(by: 30)
                await world.assembly.worker.askAboutDueReceipts()
            }
            #expect(try await world.ledger.pendingReceipts().count == 30)
            // The other interface is not affected. A loaded machine may take longer than a client waits.
            var answer = try await world.post(named.transactionID, as: players.0)
            for _ in 0..<20 where answer.status == 202 {
                answer = try await world.post(named.transactionID, as: players.0)
            }
            #expect(answer.status == 200)
        }
    }

    /// Players try again at once, and so do their apps: that does not prove a receipt bad.
    @Test func `Many ambiguous answers at one time count as one`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": 21002])
            for _ in 0..<5 {
                #expect(try await world.post(bought.appReceipt, as: player).status == 202)
                world.clock.advance(by: 5)
            }
            try await world.endFaults()
            #expect(try await world.post(bought.appReceipt, as: player).status == 200)
        }
    }

    /// 21002 at the beginning, in the middle and at the end of an outage.
    @Test func `Ambiguous answers among other trouble reject no receipt`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            for fault in [21002, 21005, 21002, 21005, 21002, 21005] {
                _ = try await world.act("faults", ["status": .integer(fault)])
                #expect(try await world.post(bought.appReceipt, as: player).status == 202, "\(fault)")
                world.clock.advance(by: 3_600)
            }
            try await world.endFaults()
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }
}

/// The trouble that both interfaces of the store have at one time; nil for none.
struct Trouble {
    var verifyReceipt: JSONValue?
    var serverAPI: JSONValue?

    static let all: [Trouble] = [
        // 21002 for longer would mean that the receipts are malformed.
        Trouble(verifyReceipt: ["status": 21002, "count": 2], serverAPI: ["http": 503]),
        Trouble(verifyReceipt: ["status": 21005], serverAPI: ["http": 500]),
        Trouble(verifyReceipt: ["status": 21009], serverAPI: ["garbage": true]),
        Trouble(verifyReceipt: ["status": 21100], serverAPI: ["drop": true]),
        Trouble(verifyReceipt: ["http": 500], serverAPI: ["errorCode": 5_000_001]),
        Trouble(verifyReceipt: ["http": 503], serverAPI: ["retryAfterSeconds": .number(0.05)]),
        Trouble(
            verifyReceipt: ["retryAfterSeconds": .number(0.05)],
            serverAPI: ["http": 503, "delaySeconds": .number(0.01)]),
        Trouble(verifyReceipt: ["drop": true], serverAPI: ["http": 502]),
        // Without Retry-After.
        Trouble(verifyReceipt: ["http": 429], serverAPI: ["errorCode": 4_290_000]),
        Trouble(verifyReceipt: ["garbage": true], serverAPI: ["errorCode": 4_040_002]),
        Trouble(
            verifyReceipt: ["http": 503, "delaySeconds": .number(0.01)],
            serverAPI: ["drop": true, "delaySeconds": .number(0.01)]),
        Trouble(verifyReceipt: ["status": 21005], serverAPI: nil),
        Trouble(verifyReceipt: nil, serverAPI: ["http": 503]),
    ]
}

extension World {
    func begin(_ trouble: Trouble) async throws {
        try await endFaults()
        for (path, fault) in [("/verifyReceipt", trouble.verifyReceipt), ("/inApps", trouble.serverAPI)] {
            guard case .object(var members)? = fault else { continue }
            members["path"] = .string(path)
            _ = try await act("faults", .object(members))
        }
    }
}
