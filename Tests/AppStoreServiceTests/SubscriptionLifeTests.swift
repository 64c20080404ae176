@testable import AppStoreService
@testable import QuartermasterServer
import AppStore
import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// A subscription's whole life as the store signs it. In whatever order it is reported, it comes to the same.
@Suite struct SubscriptionLifeTests {
    @Test func `The store sends a notification for each act on a subscription`() async throws {
        try await inALivedLife { world, life in
            let verifier = world.assembly.store.reader.verifier
            let catalog = world.assembly.routes.services.decisions.context.catalog
            var reported: [String] = []
            for payload in life.reported.map(\.signedPayload) {
                let notification = try await verifier.verify(payload, catalog: catalog, at: world.clock.now)
                reported.append([notification.type, notification.subtype].compactMap { $0 }.joined(separator: " "))
            }
            #expect(reported == ["SUBSCRIBED INITIAL_BUY"] + StoreLife.acts.map(\.reported))
        }
    }

    /// At each date, whatever the order of what was reported until then.
    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func `Access follows the life of a subscription through notifications`(seed: UInt64?) async throws {
        try await inALivedLife { world, life in
            var generator = seed.map { SeededGenerator(seed: $0) }
            for stop in StoreLife.course {
                let date = StoreLife.date(stop.day)
                let stage = try await LifeStage(in: world, at: World.start)
                try await stage.show(life.bought.signedTransaction)
                stage.clock.advance(by: date.timeIntervalSince(World.start))
                var reported = life.reported.filter { $0.date <= date }
                if var seeded = generator {
                    reported.shuffle(using: &seeded)
                    generator = seeded
                }
                for reported in reported { try await stage.receive(reported) }
                #expect(
                    try await stage.access(to: ProductID(stored: StoreLife.monthly)) == stop.monthly, "day \(stop.day)")
                #expect(try await stage.access(to: ProductID(stored: StoreLife.gold)) == stop.gold, "day \(stop.day)")
                #expect(try await stage.gems == stop.gems, "day \(stop.day)")
            }
        }
    }

    /// Nobody owns it before a receipt comes, of whichever kind and whenever that is.
    @Test func `Notifications and a receipt in any order come to the same`() async throws {
        try await inALivedLife { world, life in
            let receipts = [life.bought.signedTransaction, life.newestTransaction, life.appReceipt]
            for (number, receipt) in receipts.enumerated() {
                let expected = try await play(life.reported, receipt, after: 0, in: world)
                #expect(expected.balances == ["gems": 20])
                #expect(expected.deliveries.count >= 7)
                let plays = orders(of: life.reported, seeds: UInt64(number) * 7..<UInt64(number) * 7 + 7)
                for play in plays {
                    let outcome = try await self.play(play.reported, receipt, after: play.receiptPlace, in: world)
                    #expect(outcome == expected, "receipt \(number), \(play.name)")
                }
            }
        }
    }

    private struct Play {
        var name: String
        var reported: [LivedLife.Reported]
        /// How many are reported before the receipt comes.
        var receiptPlace: Int
    }

    private func orders(of reported: [LivedLife.Reported], seeds: Range<UInt64>) -> [Play] {
        let fixed = [reported, reported.reversed()].flatMap { reported in
            [0, reported.count / 2, reported.count].map { Play(name: "in order", reported: reported, receiptPlace: $0) }
        }
        let shuffled = seeds.map { seed in
            var generator = SeededGenerator(seed: seed)
            let copies = generator.flip() ? reported + reported : reported
            let shuffled = copies.shuffled(using: &generator)
            return Play(
                name: "seed \(seed)", reported: shuffled,
                receiptPlace: Int.random(in: 0...shuffled.count, using: &generator))
        }
        return fixed + shuffled
    }

    private func play(
        _ reported: [LivedLife.Reported], _ receipt: String, after place: Int, in world: World
    ) async throws -> LifeStage.Outcome {
        let stage = try await LifeStage(in: world, at: world.clock.now)
        for reported in reported.prefix(place) { try await stage.receive(reported) }
        try await stage.show(receipt)
        for reported in reported.dropFirst(place) { try await stage.receive(reported) }
        return try await stage.outcome(at: StoreLife.course.map { StoreLife.date($0.day) })
    }

    private func inALivedLife(_ test: @escaping @Sendable (World, LivedLife) async throws -> Void) async throws {
        try await World.run(products: StoreLife.catalog, hasServerKey: true) { world in
            try await test(world, try await world.live())
        }
    }
}
