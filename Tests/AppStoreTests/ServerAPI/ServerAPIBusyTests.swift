import Foundation
import InAppPurchase
import StoreClient
import TestSupport
import Testing

@testable import AppStore

/// Answers that contain what unknown signers signed, while too many of them wait already.
@Suite struct ServerAPIBusyTests {
    private static let id: TransactionID = "2000000847061981"

    /// A part of the answer would be mistaken for all of it.
    @Test func `An answer with an entry that cannot be verified now fails as busy`() async throws {
        let (store, forger) = (try SigningAuthority(), try SigningAuthority())
        let items = try [store.jws(hints), forger.jws(hints.with(["transactionId": "7"]))]
        let server = ServerAPIServer(
            .json([
                "revision": "a", "hasMore": false, "bundleId": "com.example.hangman", "environment": "Production",
                "signedTransactions": .array(items.map(JSONValue.string)),
            ]))
        try await server.run(trusting: store) { client in
            let call = try client.asking()
            func unreadable() async throws -> Int { try await call.history(of: Self.id).answer.unreadableEntries }
            #expect(try await unreadable() == 1)
            try await client.verifier.chains.queue.whileFull {
                #expect(await failure { try await unreadable() } == AppStoreServerError.busy)
            }
            #expect(try await unreadable() == 1)
        }
    }
}

extension ChainVerificationQueue {
    /// Runs `work` while the maximum number of unknown signers wait.
    fileprivate func whileFull(_ work: () async throws -> Void) async throws {
        let gate = AsyncStream<Never>.makeStream()
        try await withThrowingTaskGroup { group in
            for number in 0...Self.maximumQueue {
                group.addTask {
                    _ = try? await self.chain(.init(leaf: Data("\(number)".utf8), intermediate: Data()), isKnown: false)
                    {
                        for await _ in gate.stream {}
                        throw CancellationError()
                    }
                }
            }
            while turns.waiting < Self.maximumQueue { await Task.yield() }
            defer { gate.continuation.finish() }
            try await work()
        }
    }
}
