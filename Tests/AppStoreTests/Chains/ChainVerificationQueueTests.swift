import Basics
import Crypto
import Foundation
import StoreClient
import Synchronization
import Testing

@testable import AppStore

/// Many chains at once that nobody has seen before.
@Suite struct ChainVerificationQueueTests {
    private typealias Queue = ChainVerificationQueue<P256.Signing.PublicKey>

    private let queue = Queue()
    private let gate = AsyncStream<Never>.makeStream()
    private let works = Works()

    private final class Works: Sendable {
        let begun = Atomic(0)
        let refused = Atomic(0)
        let order = Mutex<[UInt128]>([])
    }

    private func key(_ number: Int) -> Queue.Key { Queue.Key(leaf: Data("\(number)".utf8), intermediate: Data()) }

    /// Asks, and the work waits until the gate is open.
    private func ask(_ number: Int, isKnown: Bool = false) async throws {
        let (works, gate) = (works, gate.stream)
        _ = try await queue.chain(key(number), isKnown: isKnown) {
            works.begun.add(1, ordering: .relaxed)
            if !isKnown { for await _ in gate {} }
            return VerifiedChain(
                leafKey: P256.Signing.PrivateKey().publicKey, notBefore: .t0, notAfter: .t0, verifiedAt: .t0)
        }
    }

    private func wait(until waiting: Int) async { while queue.waiting < waiting { await Task.yield() } }

    @Test func `Many that ask about one chain share its verification`() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await ask(1) } }
            await wait(until: 100)
            gate.continuation.finish()
            try await group.waitForAll()
        }
        #expect(works.begun.load(ordering: .relaxed) == 1)
        #expect(queue.waiting == 0)
    }

    @Test func `Unknown signers wait in a limited queue, and known signers do not wait`() async throws {
        try await withThrowingTaskGroup { group in
            // Whatever fails, nobody waits for ever.
            defer { gate.continuation.finish() }
            // One has the turn.
            for number in 0...Queue.maximumQueue { group.addTask { try await ask(number) } }
            while queue.turns.waiting < Queue.maximumQueue { await Task.yield() }
            await #expect(throws: VerifierUnavailable()) { try await ask(-1) }
            try await ask(-2, isKnown: true)
            // Of all the unknown signers at most one was begun.
            #expect(works.begun.load(ordering: .relaxed) <= 2)
            group.addTask { try await ask(0) }
            await wait(until: Queue.maximumQueue + 2)
            gate.continuation.finish()
            try await group.waitForAll()
        }
        #expect(works.begun.load(ordering: .relaxed) == Queue.maximumQueue + 2)
        // All have left: there is room again.
        try await ask(-1)
    }

    /// A client that sends many forged chains has one turn, and then the other one.
    @Test func `An unknown signer waits for one chain of another client, and is never refused for it`() async throws {
        let (queue, works, gate) = (queue, works, gate)
        let verify = { @Sendable (key: Queue.Key, address: UInt128) async in
            do {
                _ = try await Sender.$current.withValue(Sender(address: address)) {
                    try await queue.chain(key, isKnown: false) {
                        for await _ in gate.stream {}
                        works.order.withLock { $0.append(address) }
                        throw CancellationError()
                    }
                }
            } catch is VerifierUnavailable {
                works.refused.add(1, ordering: .relaxed)
            } catch {}
        }
        await withTaskGroup { group in
            for number in 0...Queue.maximumQueue { group.addTask { [key = key(number)] in await verify(key, 1) } }
            while queue.turns.waiting < Queue.maximumQueue { await Task.yield() }
            group.addTask { [key = key(-1)] in await verify(key, 2) }
            while works.refused.load(ordering: .relaxed) == 0 { await Task.yield() }
            gate.continuation.finish()
        }
        #expect(works.order.withLock { $0.prefix(2) } == [1, 2])
        #expect(works.order.withLock { $0.count } == Queue.maximumQueue + 1, "the forger lost a place")
    }

    @Test func `A failed verification is reported and not remembered`() async throws {
        let failure = CancellationError()
        await #expect(throws: CancellationError.self) {
            _ = try await queue.chain(key(1), isKnown: false) { throw failure }
        }
        gate.continuation.finish()
        try await ask(1)
        #expect(works.begun.load(ordering: .relaxed) == 1)
    }
}
