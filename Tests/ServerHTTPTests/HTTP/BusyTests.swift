import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import StoreClient
import Testing

@testable import AppStore
@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

@Suite struct BusyTests {
    /// Neither a rejection nor trouble of the operator's: the app sends it again, and finishes nothing.
    @Test func `A busy verifier is answered with when to come back`() {
        let (problem, isOurs) = Problem.from(VerificationUnavailable())
        #expect(problem.status == .serviceUnavailable && problem.code == "busy" && !isOurs)
        #expect(problem.retryAfter == 5)
    }

    /// A stored receipt is read again later, and not taken for something without facts.
    @Test func `A backfill that meets a busy verifier goes on later`() async throws {
        try await World.run { world in
            let (player, store) = (try await world.newPlayer(), world.assembly.store)
            _ = try await world.buy("hardwords", "non-consumable")
            let content = try await world.freshAppReceipt(of: player)
            let receipt = Receipt(
                id: "r_stored", account: try #require(AccountID(text: player.account)), kind: .appReceipt,
                content: content, digest: Data())
            let context = world.assembly.routes.services.decisions.context
            try await store.verifier.appReceipts.chains.queue.whileFull(of: Sender()) {
                await #expect(throws: VerificationUnavailable()) {
                    try await store.facts(in: .receipt(receipt, world.clock.now), in: context)
                }
            }
            #expect(try await store.facts(in: .receipt(receipt, world.clock.now), in: context) != nil)
        }
    }

    /// Proof in the bytes, and a transfer with it, is not lost because the verifier has no time.
    @Test func `A receipt that meets a busy verifier is verified later`() async throws {
        try await World.run { world in
            let (owner, player) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.transactionReceipt, as: owner).status == 200)
            world.clock.advance(by: 60)
            let receipt = try await world.freshAppReceipt(ofCustomer: "common")
            let queue = world.assembly.store.verifier.appReceipts.chains.queue
            let address = try #require(IPAddress("127.0.0.1"))
            try await queue.whileFull(of: Sender(address: address.value, account: player.account)) {
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == 202, "\(answer)")
            }
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }
}

extension ChainVerificationQueue {
    /// Runs the body while the maximum number of a client's unknown signers wait.
    func whileFull(of sender: Sender, _ body: () async throws -> Void) async throws {
        let gate = AsyncStream<Never>.makeStream()
        try await withThrowingTaskGroup { group in
            // Whatever fails, nobody waits for ever.
            defer { gate.continuation.finish() }
            for number in 0...Self.maximumQueue {
                group.addTask {
                    await Sender.$current.withValue(sender) {
                        _ = try? await self.chain(
                            .init(leaf: Data("\(number)".utf8), intermediate: Data()), isKnown: false
                        ) {
                            for await _ in gate.stream {}
                            throw VerifierUnavailable()
                        }
                    }
                }
            }
            while turns.waiting < Self.maximumQueue { await Task.yield() }
            try await body()
        }
    }
}
