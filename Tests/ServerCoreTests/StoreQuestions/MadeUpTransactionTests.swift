import Basics
import Foundation
import InAppPurchase
import Ledger
import ServerTestSupport
import StoreClient
import Synchronization
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Transaction IDs that somebody makes up keep nobody else from what was bought.
@Suite struct MadeUpTransactionTests {
    private final class Answers: Sendable {
        let count = Atomic(0)
    }

    private static let known = ExpectedProblem(429, "too_many_requests")

    private func accept(
        _ receipt: String, from player: Player, at address: String, in world: World
    ) async throws -> ReceiptAnswer {
        try await Sender.$current.withValue(Sender(address: IPAddress(address)?.value)) {
            try await world.assembly.routes.services.intake.accept(
                receipt, bundleID: nil, from: try #require(AccountID(text: player.account)), at: IPAddress(address))
        }
    }

    /// The store takes a second for each; there are three hundred, and each is asked about in two environments.
    @Test func `Made-up transaction IDs delay nobody else's questions`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (forgers, neighbour, other) = (
                [try await world.newPlayer(), try await world.newPlayer()], try await world.newPlayer(),
                try await world.newPlayer()
            )
            func buy(_ player: Player) async throws -> Bought {
                try await world.buy("hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            }
            let genuine = [
                (try await buy(neighbour).transactionID, neighbour, "198.51.100.1"),
                (try await buy(other).transactionID, other, "198.51.100.2"),
                (try await world.buy("tenhints", "consumable").transactionReceipt, neighbour, "198.51.100.1"),
            ]
            _ = try await world.act("faults", ["delaySeconds": 1])
            let answers = Answers()
            try await withThrowingTaskGroup { group in
                for number in 0..<300 {
                    group.addTask {
                        _ = try await accept("9\(number)", from: forgers[number % 2], at: "198.51.100.1", in: world)
                        answers.count.add(1, ordering: .relaxed)
                    }
                }
                let waiting = world.assembly.routes.services.intake.turns.transactionIDs
                try await poll("they wait") { waiting.waiting > 200 }
                // At once: whoever has no turn within the time of a player is told to wait.
                let statuses = try await withThrowingTaskGroup { asked in
                    for (receipt, player, address) in genuine {
                        asked.addTask { try await accept(receipt, from: player, at: address, in: world).status }
                    }
                    return try await asked.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == [.verified, .verified, .verified])
                #expect(answers.count.load(ordering: .relaxed) < 100)
                try await world.endFaults()
                group.cancelAll()
            }
        }
    }

    /// The places of those that wait are full; what the store knows needs none.
    @Test func `A genuine transaction ID needs no place among those that wait`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy(
                "hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            _ = try await world.act("faults", ["http": 503])
            for number in 0..<PendingReceipt.maximumTransactionIDs {
                #expect(try await world.post("9\(number)", as: player).status == 202)
            }
            let rows = try await world.ledger.pendingReceipts().count
            for _ in 1...2 { try await world.post("950", as: player).expect(Self.known) }
            try await world.endFaults()
            world.clock.advance(by: 60)
            try await world.post("951", as: player).expect(Self.known)
            #expect(try await world.ledger.pendingReceipts().count == rows)
            let answer = try await world.post(bought.transactionID, as: player)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
        }
    }
}
