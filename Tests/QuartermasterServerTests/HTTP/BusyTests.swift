import CryptoExtras
import Foundation
import HTTPTypes
import Testing

@testable import AppStore
@testable import QuartermasterServer

@Suite struct BusyTests {
    /// Neither a rejection nor trouble of the operator's: the app sends it again, and finishes nothing.
    @Test("A busy verifier is answered with when to come back")
    func aBusyVerifierIsAnsweredWithWhenToComeBack() {
        let (problem, isOurs) = Problem.from(VerificationUnavailable())
        #expect(problem.status == .serviceUnavailable && problem.code == "busy" && !isOurs)
        #expect(problem.retryAfter == 5)
    }

    private typealias Queue = ChainVerificationQueue<_RSA.Signing.PublicKey>

    /// Runs the body while the maximum number of unknown signers wait for the verifier of app receipts.
    private func whileFull(_ queue: Queue, _ body: () async throws -> Void) async throws {
        let gate = AsyncStream<Never>.makeStream()
        try await withThrowingTaskGroup { group in
            // Whatever fails, nobody waits for ever.
            defer { gate.continuation.finish() }
            for number in 0..<Queue.maximumQueue {
                group.addTask {
                    let key = Queue.Key(leaf: Data("\(number)".utf8), intermediate: Data())
                    _ = try? await queue.chain(key, isKnown: false) {
                        for await _ in gate.stream {}
                        throw VerifierUnavailable()
                    }
                }
            }
            while queue.waiting < Queue.maximumQueue { await Task.yield() }
            try await body()
        }
    }

    /// Proof in the bytes, and a transfer with it, is not lost because the verifier has no time.
    @Test("A receipt that meets a busy verifier is verified later")
    func aReceiptThatMeetsABusyVerifierIsVerifiedLater() async throws {
        try await World.run { world in
            let (owner, player) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.transactionReceipt, as: owner).status == 200)
            world.clock.advance(by: 60)
            let receipt = try await world.freshAppReceipt(ofCustomer: "common")
            let queue = world.assembly.store.verifier.appReceipts.chains.queue
            try await whileFull(queue) {
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == 202, "\(answer)")
            }
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }
}
